import { Injectable } from '@nestjs/common';
import {
  AppError,
  changedAttendance,
  organizationUpdated,
  roomRpc,
  updateOrganization,
  UPLOADED,
  withoutUndefined,
  type BillingPlan,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { toPlanColumns } from './billing-plan.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { requireOwnable } from './require-ownable.js';
import { auditedFields, toOrganization } from './to-organization.js';
import { DomainProofsRepository } from './domain-proofs.repository.js';
import { LogosRepository } from './logos.repository.js';
import { OrganizationsRepository } from './organizations.repository.js';

type Input = RpcInput<typeof updateOrganization>;

@Injectable()
export class UpdateOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly proofs: DomainProofsRepository,
    private readonly logos: LogosRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND (also if its erasure was requested), BILLING_TYPE_LOCKED, SERVICE_UNAVAILABLE (the room service is unreachable) */
  @Handles(updateOrganization)
  async execute({ organizationId, changes }: Input) {
    const present = await this.organizations.find(organizationId);
    if (!present) throw new AppError('ORGANIZATION_NOT_FOUND');
    // Asks the room service before the row is locked, so that no lock is held during a call to another service.
    if (changes.billing) await this.rejectWhileLive(present, changes.billing);
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      if (!row || row.closedAt) throw new AppError('ORGANIZATION_NOT_FOUND');
      const before = auditedFields(row);
      const { logoUrl } = row;
      apply(row, changes, this.clock.now());
      const updated = toOrganization(row);
      await this.organizations.save(tx, row);
      if (row.logoUrl !== logoUrl) await this.logos.removeExcept(tx, organizationId, []);
      if (changes.verifiedDomains) await this.proofs.removeOthers(tx, organizationId, row.verifiedDomains);
      await this.audit.record(tx, { organizationId, kind: 'organization', id: organizationId, before, after: auditedFields(row) });
      await this.outbox.add(tx, fact(organizationUpdated, organizationId, updated));
      return updated;
    });
  }

  private async rejectWhileLive(present: OrganizationEntity, plan: BillingPlan): Promise<void> {
    if (!present.billingType || present.billingType === plan.type) return;
    const { hasLive } = await this.rpc.call(roomRpc.hasLive, { organizationId: present.organizationId });
    if (hasLive) throw new AppError('BILLING_TYPE_LOCKED');
  }
}

function apply(row: OrganizationEntity, changes: Input['changes'], now: Date): void {
  if (changes.name !== undefined) row.name = changes.name;
  if (changes.verifiedDomains) {
    requireOwnable(changes.verifiedDomains);
    row.verifiedDomains = changes.verifiedDomains;
  }
  if (changes.billing) Object.assign(row, toPlanColumns(changes.billing, row, now));
  if (changes.branding) {
    const { logoUrl, ...colors } = changes.branding;
    Object.assign(row, withoutUndefined(colors));
    // A client that sends back what it was answered changes nothing.
    if (logoUrl !== undefined && !logoUrl?.startsWith(UPLOADED)) row.logoUrl = logoUrl;
  }
  if (changes.retention) row.retention = { ...row.retention, ...withoutUndefined(changes.retention) };
  if (changes.consent) row.consent = { ...row.consent, ...withoutUndefined(changes.consent) };
  if (changes.quotas) row.quotas = { ...row.quotas, ...withoutUndefined(changes.quotas) };
  row.attendance = changedAttendance(changes.attendance, row.attendance);
  row.updatedAt = timeOfChange(row.updatedAt, now);
}

/**
 * Strictly later than the previous change, even within one millisecond or after the clock was set back: readers keep the change
 * with the latest time.
 */
export const timeOfChange = (before: Date, now: Date) => new Date(Math.max(now.getTime(), before.getTime() + 1));
