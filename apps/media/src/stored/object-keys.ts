import { tenantOf } from '@classroom/storage';
import type { DocumentEntity } from '../schema/document.entity.js';
import type { VideoEntity } from '../schema/video.entity.js';

const ROOT = 'videos/';

type OfVideo = Pick<VideoEntity, 'organizationId' | 'videoId'>;

/** Prefix of everything of one video. It contains a hash of the organization's id, because the id is a secret. */
export function prefixOf({ organizationId, videoId }: OfVideo): string {
  return `${ROOT}${tenantOf(organizationId)}/${videoId}/`;
}

export const sourceKeyOf = (video: OfVideo) => `${prefixOf(video)}source`;
/** Output of one attempt: that of an interrupted attempt does not mix with any other. */
export const attemptPrefixOf = (video: OfVideo, attempt: number) => `${prefixOf(video)}${attempt}/`;
export const captionKeyOf = (video: OfVideo, language: string) => `${prefixOf(video)}captions/${language.toLowerCase()}.vtt`;

type OfDocument = Pick<DocumentEntity, 'organizationId' | 'documentId'>;

/** Prefix of everything of one document. It contains a hash of the organization's id, because the id is a secret. */
export const documentPrefixOf = ({ organizationId, documentId }: OfDocument) => `documents/${tenantOf(organizationId)}/${documentId}/`;

export const documentSourceOf = (document: OfDocument) => `${documentPrefixOf(document)}source`;
/** Output of one attempt: that of an interrupted attempt does not mix with any other. */
export const pagesPrefixOf = (document: OfDocument, attempt: number) => `${documentPrefixOf(document)}${attempt}/`;

/** Widths of the pictures of a page in pixels; those of a page that is taller than `MAX_RATIO` are narrower. */
export const WIDTHS = [1_600, 800] as const;
/** Path of a picture below the prefix of its attempt, and below a signed address. */
export const pagePathOf = (page: number, width: (typeof WIDTHS)[number]) => `${width}/${page}.jpg`;
