import { Injectable } from '@nestjs/common';
import { createErasure, getErasure, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { randomId } from '../history/random-id.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ReceiptSigner } from './receipt-signer.js';
import { toErasure } from './to-erasure.js';

@Injectable()
export class RequestErasure {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
  ) {}

  /** Stores the request; `RunErasures` does the work. */
  @Handles(createErasure)
  async create({ organizationId, subject }: RpcInput<typeof createErasure>) {
    const row = { erasureId: randomId('era'), organizationId, subject, requestedAt: this.clock.now(), dueAt: this.clock.wall() };
    await this.erasures.insert(row);
    return toErasure({ ...row, results: {}, factsThrough: null, completedAt: null, receipt: null }, this.signer);
  }

  /** @throws AppError ERASURE_NOT_FOUND */
  @Handles(getErasure)
  async get({ organizationId, erasureId }: RpcInput<typeof getErasure>) {
    return toErasure(await this.erasures.find(organizationId, erasureId), this.signer);
  }
}
