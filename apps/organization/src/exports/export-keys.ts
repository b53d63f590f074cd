import { tenantOf } from '@classroom/storage';
import type { ExportEntity } from '../schema/export.entity.js';

/** The folder of all attempts of an export. */
export const folderOf = ({ organizationId, exportId }: Pick<ExportEntity, 'organizationId' | 'exportId'>) =>
  `exports/${tenantOf(organizationId)}/${exportId}/`;

/** Each attempt writes an object of its own, so that a stalled one cannot replace the file that is offered. */
export const keyOf = (row: Pick<ExportEntity, 'organizationId' | 'exportId' | 'attempt'>) => `${folderOf(row)}${row.attempt}.zip`;
