import { Injectable } from '@nestjs/common';
import { organizationUpdated, type Organization } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { auditedFields, timeOfChange, toOrganization } from './to-organization.js';

/** Changes an organization: its row, what the audit log says of it, and its fact. */
@Injectable()
export class OrganizationChanges {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @param row locked by `tx`; has the changes afterwards @returns the organization as endpoints and events show it */
  async save(tx: Transaction, row: OrganizationEntity, changes: Partial<OrganizationEntity>): Promise<Organization> {
    const { organizationId } = row;
    const before = shownInAudit(row);
    Object.assign(row, changes, { updatedAt: timeOfChange(row.updatedAt, this.clock.now()) });
    await this.organizations.save(tx, row);
    await this.audit.record(tx, { organizationId, kind: 'organization', id: organizationId, before, after: shownInAudit(row) });
    const updated = toOrganization(row);
    await this.outbox.add(tx, fact(organizationUpdated, organizationId, updated));
    return updated;
  }
}

const shownInAudit = (row: OrganizationEntity) => ({
  ...auditedFields(row),
  closedAt: row.closedAt,
  erasureBeginsAt: row.erasureBeginsAt,
});
