import { Injectable } from '@nestjs/common';
import {
  AppError,
  deleteJoinHook,
  organizationUpdated,
  setJoinHook,
  type JoinHook,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import { EndpointAddress } from '../webhooks/endpoints.js';
import { SigningSecrets } from '../webhooks/signing-secrets.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { auditedFields, timeOfChange, toOrganization } from '../organizations/to-organization.js';

/** The join hook of an organization, as operators set it. */
@Injectable()
export class JoinHooks {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly address: EndpointAddress,
    private readonly secrets: SigningSecrets,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VALIDATION_FAILED, ORGANIZATION_NOT_FOUND */
  @Handles(setJoinHook)
  async set({ organizationId, url, timeoutMs, fallback }: RpcInput<typeof setJoinHook>): Promise<RpcOutput<typeof setJoinHook>> {
    await this.address.requireAllowed(url);
    const hook = { url, timeoutMs, fallback };
    const sealed = await this.change(organizationId, hook);
    return { ...hook, secret: this.secrets.open(organizationId, sealed ?? '') };
  }

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(deleteJoinHook)
  async delete({ organizationId }: RpcInput<typeof deleteJoinHook>): Promise<{ organizationId: string }> {
    await this.change(organizationId, null);
    return { organizationId };
  }

  /** @returns the encrypted secret of the hook */
  private change(organizationId: string, hook: JoinHook | null): Promise<string | null> {
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      if (!row || row.closedAt) throw new AppError('ORGANIZATION_NOT_FOUND');
      const before = auditedFields(row);
      row.joinHook = hook;
      row.joinHookSecret = hook && (row.joinHookSecret ?? this.secrets.create(organizationId).sealed);
      row.updatedAt = timeOfChange(row.updatedAt, this.clock.now());
      await this.organizations.save(tx, row);
      await this.audit.record(tx, { organizationId, kind: 'organization', id: organizationId, before, after: auditedFields(row) });
      await this.outbox.add(tx, fact(organizationUpdated, organizationId, toOrganization(row)));
      return row.joinHookSecret;
    });
  }
}
