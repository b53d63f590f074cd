import { Injectable } from '@nestjs/common';
import { AppError, createExport, exportRpc, getExport, type DataExport, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ObjectStorage, tenantOf } from '@classroom/storage';
import type { ExportEntity } from '../schema/export.entity.js';
import { randomId } from '../schema/random-id.js';
import { ExportsRepository } from './exports.repository.js';

/** The folder of all attempts of an export. */
export const folderOf = ({ organizationId, exportId }: Pick<ExportEntity, 'organizationId' | 'exportId'>) =>
  `exports/${tenantOf(organizationId)}/${exportId}/`;

/** Each attempt writes an object of its own, so that a stalled one cannot replace the file that is offered. */
export const keyOf = (row: Pick<ExportEntity, 'organizationId' | 'exportId' | 'attempt'>) => `${folderOf(row)}${row.attempt}.zip`;

const LINK_SECONDS = 300;

/** The services that are asked for their data. */
export const ASKED = Object.keys(exportRpc) as (keyof typeof exportRpc)[];
/** All services with data of an export, in the order in which it is collected. */
export const SERVICES: readonly string[] = [...ASKED, 'organization'];

/** @throws AppError EXPORT_EXPIRED */
async function toExport(row: ExportEntity, storage: Pick<ObjectStorage, 'presignGet'>, clock: Clock): Promise<DataExport> {
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

@Injectable()
export class RequestExport {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** Stores the request; `RunExports` does the work. @throws AppError TOO_MANY_EXPORTS */
  @Handles(createExport)
  async create({ organizationId, subject }: RpcInput<typeof createExport>): Promise<DataExport> {
    const exportId = randomId('exp');
    const row = { exportId, organizationId, subject, requestedAt: this.clock.now(), waitingFor: [...SERVICES], dueAt: this.clock.wall() };
    return toExport(await this.exports.add(row), this.storage, this.clock);
  }

  /** @throws AppError EXPORT_NOT_FOUND, EXPORT_EXPIRED */
  @Handles(getExport)
  async get({ organizationId, exportId }: RpcInput<typeof getExport>): Promise<DataExport> {
    return toExport(await this.exports.find(organizationId, exportId), this.storage, this.clock);
  }
}
