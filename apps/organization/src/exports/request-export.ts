import { Injectable } from '@nestjs/common';
import { createExport, getExport, type DataExport, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { randomId } from '../schema/random-id.js';
import { ExportsRepository } from './exports.repository.js';
import { SERVICES, toExport } from './to-export.js';

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
