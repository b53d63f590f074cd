import { tenantOf } from '@classroom/storage';
import type { DocumentEntity } from '../schema/document.entity.js';

type Owned = Pick<DocumentEntity, 'organizationId' | 'documentId'>;

/** Prefix of everything of one document. It contains a hash of the organization's id, because the id is a secret. */
export const documentPrefixOf = ({ organizationId, documentId }: Owned) => `documents/${tenantOf(organizationId)}/${documentId}/`;

export const documentSourceOf = (document: Owned) => `${documentPrefixOf(document)}source`;
/** Output of one attempt: that of an interrupted attempt does not mix with any other. */
export const pagesPrefixOf = (document: Owned, attempt: number) => `${documentPrefixOf(document)}${attempt}/`;

/** Widths of the pictures of a page in pixels; those of a page that is taller than `MAX_RATIO` are narrower. */
export const WIDTHS = [1_600, 800] as const;
/** Path of a picture below the prefix of its attempt, and below a signed address. */
export const pagePathOf = (page: number, width: (typeof WIDTHS)[number]) => `${width}/${page}.jpg`;
