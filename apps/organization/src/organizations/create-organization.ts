import { Inject, Injectable } from '@nestjs/common';
import { AppError, changedAttendance, createOrganization, organizationUpdated, type RpcInput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG, currentAuditId, outsideOrganizations } from '@classroom/platform';
import { AuditChanges } from '../audit/audit-changes.js';
import type { OrganizationConfig } from '../config.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { auditedFields as auditedCredential, newValue, requireStrong, withValue } from '../credentials/credential-values.js';
import { randomId } from '../schema/random-id.js';
import { auditedFields, NO_PLAN, toOrganization, toPlanColumns } from './to-organization.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { requireOwnable } from './domain-names.js';
import { OrganizationsRepository } from './organizations.repository.js';

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
      isIdCredential: false,
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
