import { Injectable } from '@nestjs/common';
import { AppError, dashboardTokenRpc, dashboardTokensRevoked, revokeDashboardTokens, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { DashboardSessionsRepository, OrganizationsRepository } from './organizations.repository.js';

const SWEEP_INTERVAL_MS = 60_000;
const BATCH = 1_000;

/** Each dashboard token is a session, which can be ended before the token expires. Only what is open has a row, so that nothing is kept of what is over. */
@Injectable()
export class DashboardSessions {
  @InBackground() private readonly loop = new Loop('dashboard-sessions', SWEEP_INTERVAL_MS, () => this.deleteExpired());

  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly sessions: DashboardSessionsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(dashboardTokenRpc.open)
  async open({ organizationId, sessionId, expiresAt, keyId }: RpcInput<typeof dashboardTokenRpc.open>) {
    const version = await this.versionOf(organizationId);
    await this.sessions.add({ organizationId, sessionId, keyId: keyId ?? null, expiresAt: new Date(expiresAt) });
    return { version };
  }

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(dashboardTokenRpc.version)
  async version({ organizationId, sessionId }: RpcInput<typeof dashboardTokenRpc.version>) {
    const version = await this.versionOf(organizationId);
    return sessionId === undefined ? { version } : { version, isOpen: await this.sessions.isOpen(organizationId, sessionId) };
  }

  /** @throws AppError NOT_FOUND if the session is over, or of another organization */
  @Handles(dashboardTokenRpc.end)
  async end({ organizationId, sessionId }: RpcInput<typeof dashboardTokenRpc.end>) {
    await this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      if (!row || !(await this.sessions.remove(tx, organizationId, sessionId))) throw new AppError('NOT_FOUND');
      const version = row.dashboardTokenVersion;
      await this.outbox.add(tx, fact(dashboardTokensRevoked, organizationId, { organizationId, version }));
    });
    return { sessionId, endedAt: this.clock.now().toISOString() };
  }

  /** Ends the sessions whose tokens these API keys issued. `version`: that of the organization's tokens. */
  async endOfKeys(tx: Transaction, organizationId: string, keyIds: readonly string[], version: number): Promise<void> {
    if (!(await this.sessions.removeOfKeys(tx, organizationId, keyIds))) return;
    await this.outbox.add(tx, fact(dashboardTokensRevoked, organizationId, { organizationId, version }));
  }

  private async deleteExpired(): Promise<void> {
    // The gateways compare the end of a token with the real time.
    while ((await this.sessions.deleteExpired(this.clock.wall(), BATCH)) === BATCH);
  }

  private async versionOf(organizationId: string): Promise<number> {
    const row = await this.organizations.find(organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return row.dashboardTokenVersion;
  }
}

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
