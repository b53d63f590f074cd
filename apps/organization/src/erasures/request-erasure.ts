import { Injectable } from '@nestjs/common';
import { AppError, cancelErasure, createErasure, getErasure, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { CloseOrganization } from './close-organization.js';
import { ErasuresRepository, newErasure } from './erasures.repository.js';
import { ReceiptSigner, toErasure } from './to-erasure.js';

@Injectable()
export class RequestErasure {
  constructor(
    private readonly database: Database,
    private readonly closing: CloseOrganization,
    private readonly erasures: ErasuresRepository,
    private readonly audit: AuditChanges,
    private readonly signer: ReceiptSigner,
    private readonly clock: Clock,
  ) {}

  /** Stores the request; `RunErasures` does the work. @throws AppError FORBIDDEN, LEGAL_HOLD, SERVICE_UNAVAILABLE */
  @Handles(createErasure)
  async create({ organizationId, subject, isByKey }: RpcInput<typeof createErasure>) {
    if ('organization' in subject) {
      requireNoKey(isByKey);
      return toErasure(await this.closing.close(organizationId), this.signer);
    }
    const row = newErasure({ organizationId, subject, requestedAt: this.clock.now(), dueAt: this.clock.wall() });
    await this.database.transaction(async (tx) => {
      await this.erasures.insert(tx, row);
      // The log outlives the subject, so it names only the kind of it.
      const after = { subject: Object.keys(subject)[0] };
      await this.audit.record(tx, { organizationId, kind: 'erasure', id: row.erasureId, before: null, after });
    });
    return toErasure(row, this.signer);
  }

  /** @throws AppError FORBIDDEN, ERASURE_NOT_FOUND, ERASURE_BEGUN */
  @Handles(cancelErasure)
  async cancel({ organizationId, erasureId, isByKey }: RpcInput<typeof cancelErasure>) {
    requireNoKey(isByKey);
    return this.closing.cancel(await this.erasures.find(organizationId, erasureId));
  }

  /** @throws AppError ERASURE_NOT_FOUND */
  @Handles(getErasure)
  async get({ organizationId, erasureId }: RpcInput<typeof getErasure>) {
    return toErasure(await this.erasures.find(organizationId, erasureId), this.signer);
  }
}

/** A key answers requests of people; no leaked key may end a school. */
function requireNoKey(isByKey: boolean): void {
  if (isByKey) throw new AppError('FORBIDDEN', { message: 'An API key can’t erase an organization: use VF-ORG-ID' });
}
