import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  changedAttendance,
  createOrganization,
  getOrganization,
  listOrganizations,
  organizationRpc,
  organizationUpdated,
  retentionOf,
  roomRpc,
  updateOrganization,
  UPLOADED,
  withoutUndefined,
  type BillingPlan,
  type RpcInput,
} from '@classroom/contracts';
import { fact, fitMessage, Handles, Outbox, RpcClient } from '@classroom/messaging';
import { Database, pageCursor } from '@classroom/persistence';
import { Clock, CONFIG, currentAuditId, outsideOrganizations } from '@classroom/platform';
import { z } from 'zod';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { auditedFields as auditedCredential, newValue, requireStrong, withValue } from './credential-values.js';
import { CredentialsRepository } from './credentials.repository.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { randomId } from '../schema/random-id.js';
import { domainsCovering, requireOwnable } from './domain-names.js';
import { DomainProofsRepository, LogosRepository, OrganizationsRepository } from './organizations.repository.js';
import { auditedFields, NO_PLAN, OrganizationChanges, toOrganization, toPlanColumns } from './organization-changes.js';

@Injectable()
export class CreateOrganization {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<OrganizationConfig, 'DEPLOYMENT'>,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly audit: AuditChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * `organizationId` of the input and of the answer is the first value of VF-ORG-ID, which is a secret. The id in rows, facts and logs is another
   * one, `id` of the answer.
   * @throws AppError VALIDATION_FAILED, ORGANIZATION_ALREADY_EXISTS
   */
  @Handles(createOrganization)
  execute(input: RpcInput<typeof createOrganization>) {
    const auditId = currentAuditId();
    return outsideOrganizations(() => this.create(input, auditId));
  }

  private async create(input: RpcInput<typeof createOrganization>, auditId: string | undefined) {
    requireOwnable(input.verifiedDomains);
    requireStrong(this.config, 'organizationId', input.organizationId);
    const now = this.clock.now();
    const row: OrganizationEntity = {
      organizationId: randomId('org'),
      name: input.name,
      ...(input.billing ? toPlanColumns(input.billing, NO_PLAN, now) : NO_PLAN),
      verifiedDomains: input.verifiedDomains,
      logoUrl: input.branding.logoUrl ?? null,
      primaryColor: input.branding.primaryColor ?? null,
      accentColor: input.branding.accentColor ?? null,
      dashboardTokenVersion: 0,
      retention: input.retention,
      closedAt: null,
      erasureBeginsAt: null,
      consent: input.consent ?? null,
      attendance: changedAttendance(input.attendance, null),
      quotas: input.quotas ?? null,
      joinHook: null,
      joinHookSecret: null,
      createdAt: now,
      updatedAt: now,
    };
    const created = toOrganization(row);
    const value = input.organizationId ?? newValue();
    if (await this.organizations.find(value)) throw new AppError('ORGANIZATION_ALREADY_EXISTS');
    const credential = await this.database.transaction(async (tx) => {
      await this.organizations.insert(tx, row);
      await this.outbox.add(tx, fact(organizationUpdated, row.organizationId, created));
      const first = await this.credentials.insert(tx, { organizationId: row.organizationId, value, createdAt: now }).catch(asExisting);
      const { organizationId } = row;
      const change = { organizationId, before: null };
      await this.audit.record(tx, { ...change, kind: 'organization', id: organizationId, after: auditedFields(row) }, auditId);
      await this.audit.record(tx, { ...change, kind: 'credential', id: first.credentialId, after: auditedCredential(first) }, auditId);
      return first;
    });
    return { ...created, organizationId: value, credential: withValue(credential, value) };
  }
}

/** The value was chosen by the caller, as the id of the organization. */
function asExisting(error: unknown): never {
  if (error instanceof AppError && error.code === 'CREDENTIAL_ALREADY_EXISTS')
    throw new AppError('ORGANIZATION_ALREADY_EXISTS', { cause: error });
  throw error;
}

type Input = RpcInput<typeof updateOrganization>;

@Injectable()
export class UpdateOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly proofs: DomainProofsRepository,
    private readonly logos: LogosRepository,
    private readonly changes: OrganizationChanges,
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
      const row = await this.organizations.lock(tx, organizationId);
      const { logoUrl } = row;
      const updated = await this.changes.save(tx, row, changedColumns(row, changes, this.clock.now()));
      if (row.logoUrl !== logoUrl) await this.logos.removeExcept(tx, organizationId, []);
      if (changes.verifiedDomains) await this.proofs.removeOthers(tx, organizationId, row.verifiedDomains);
      return updated;
    });
  }

  private async rejectWhileLive(present: OrganizationEntity, plan: BillingPlan): Promise<void> {
    if (!present.billingType || present.billingType === plan.type) return;
    const { hasLive } = await this.rpc.call(roomRpc.hasLive, { organizationId: present.organizationId });
    if (hasLive) throw new AppError('BILLING_TYPE_LOCKED');
  }
}

/** @throws AppError VALIDATION_FAILED */
function changedColumns(row: OrganizationEntity, changes: Input['changes'], now: Date): Partial<OrganizationEntity> {
  const { name, verifiedDomains, billing, branding: { logoUrl, ...colors } = {}, retention, consent, quotas, attendance } = changes;
  if (verifiedDomains) requireOwnable(verifiedDomains);
  return {
    ...withoutUndefined({ name, verifiedDomains, ...colors }),
    ...(billing && toPlanColumns(billing, row, now)),
    // A client that sends back what it was answered changes nothing.
    ...(logoUrl !== undefined && !logoUrl?.startsWith(UPLOADED) && { logoUrl }),
    ...(retention && { retention: { ...row.retention, ...withoutUndefined(retention) } }),
    ...(consent && { consent: { ...row.consent, ...withoutUndefined(consent) } }),
    ...(quotas && { quotas: { ...row.quotas, ...withoutUndefined(quotas) } }),
    attendance: changedAttendance(attendance, row.attendance),
  };
}

@Injectable()
export class GetOrganization {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(getOrganization)
  async execute({ organizationId }: RpcInput<typeof getOrganization>) {
    const row = await this.organizations.find(organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return toOrganization(row);
  }
}

const cursors = pageCursor(z.string());

@Injectable()
export class ListOrganizations {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** Newest first; fewer than `limit` if one message cannot hold them. @throws AppError VALIDATION_FAILED if the cursor is invalid */
  @Handles(listOrganizations)
  async execute({ cursor, limit }: RpcInput<typeof listOrganizations>) {
    const rows = await this.organizations.page(cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
    const organizations = fitMessage(rows.slice(0, limit).map(toOrganization));
    const last = rows.length > organizations.length ? rows[organizations.length - 1] : undefined;
    return {
      organizations,
      pagination: {
        nextCursor: last ? cursors.encode({ createdAt: last.createdAt, id: last.organizationId }) : null,
        hasMore: last !== undefined,
      },
    };
  }
}

@Injectable()
export class ListRetentions {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Handles(organizationRpc.retentions)
  async execute({ after, limit }: RpcInput<typeof organizationRpc.retentions>) {
    const rows = await this.organizations.retentions(after, limit);
    return {
      organizations: rows.map(({ organizationId, retention }) => ({
        organizationId,
        retention: retentionOf(retention),
        set: Object.entries(retention ?? {}).flatMap(([name, kept]) => (kept === null ? [] : [name])),
      })),
    };
  }
}

@Injectable()
export class VerifyHost {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Handles(organizationRpc.isVerifiedHost)
  async execute({ host }: RpcInput<typeof organizationRpc.isVerifiedHost>) {
    return { isVerified: await this.organizations.existsWithDomain(domainsCovering(host)) };
  }
}
