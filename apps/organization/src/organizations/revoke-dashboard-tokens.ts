import { Injectable } from '@nestjs/common';
import { dashboardTokensRevoked, revokeDashboardTokens, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { OrganizationsRepository } from './organizations.repository.js';

/** A dashboard token contains the version that was valid when it was created: with the next version, the gateways refuse it. */
@Injectable()
export class RevokeDashboardTokens {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(revokeDashboardTokens)
  async revoke({ organizationId }: RpcInput<typeof revokeDashboardTokens>) {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const version = await this.organizations.increaseTokenVersion(tx, organizationId);
      const [before, after] = [{ dashboardTokenVersion: version - 1 }, { dashboardTokenVersion: version }];
      await this.audit.record(tx, { organizationId, kind: 'organization', id: organizationId, before, after });
      await this.outbox.add(tx, fact(dashboardTokensRevoked, organizationId, { organizationId, version }));
    });
    return { organizationId, revokedAt: now.toISOString() };
  }
}
