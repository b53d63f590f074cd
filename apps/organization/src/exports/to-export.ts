import { AppError, exportRpc, type DataExport } from '@classroom/contracts';
import type { ObjectStorage } from '@classroom/storage';
import type { Clock } from '@classroom/platform';
import type { ExportEntity } from '../schema/export.entity.js';
import { keyOf } from './export-keys.js';

const LINK_SECONDS = 300;

/** The services that are asked for their data. */
export const ASKED = Object.keys(exportRpc) as (keyof typeof exportRpc)[];
/** All services with data of an export, in the order in which it is collected. */
export const SERVICES: readonly string[] = [...ASKED, 'organization'];

/** @throws AppError EXPORT_EXPIRED */
export async function toExport(row: ExportEntity, storage: Pick<ObjectStorage, 'presignGet'>, clock: Clock): Promise<DataExport> {
  const { exportId, attempt, waitingFor, requestedAt, completedAt, deleteAt, deletedAt, bytes, sha256, stores } = row;
  const now = clock.now();
  if (deletedAt || (deleteAt && deleteAt <= now)) throw new AppError('EXPORT_EXPIRED');
  const open = { downloadUrl: null, urlExpiresAt: null };
  return {
    exportId,
    status: completedAt ? 'COMPLETED' : attempt > 0 ? 'RUNNING' : 'PENDING',
    waitingFor,
    requestedAt: requestedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    ...(completedAt && deleteAt ? await linkTo(row, deleteAt.getTime() - now.getTime(), storage, clock.wall()) : open),
    availableUntil: deleteAt?.toISOString() ?? null,
    bytes,
    sha256,
    stores,
  };
}

async function linkTo(row: ExportEntity, leftMs: number, storage: Pick<ObjectStorage, 'presignGet'>, at: Date) {
  const expiresIn = Math.max(1, Math.min(LINK_SECONDS, Math.floor(leftMs / 1_000)));
  const downloadUrl = await storage.presignGet(keyOf(row), { expiresIn, downloadName: `${row.exportId}.zip`, at });
  return { downloadUrl, urlExpiresAt: new Date(at.getTime() + expiresIn * 1_000).toISOString() };
}
