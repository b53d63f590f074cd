import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  changedConsent,
  logoRpc,
  NO_CONSENT_ASKED,
  organizationUpdated,
  quotasOf,
  retentionOf,
  sha256OfLogo,
  UPLOADED,
  type BillingPlan,
  type Organization,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AuditChanges, originOf } from '../audit/audit-changes.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { LogosRepository, OrganizationsRepository } from './organizations.repository.js';

/** The organization as every endpoint and event shows it. Only here, at the edge, does the rate become a number. */
export function toOrganization(row: OrganizationEntity): Organization {
  return {
    id: row.organizationId,
    organizationId: row.organizationId,
    name: row.name,
    billing: toBilling(row),
    verifiedDomains: row.verifiedDomains,
    branding: { logoUrl: row.logoUrl, primaryColor: row.primaryColor, accentColor: row.accentColor },
    retention: retentionOf(row.retention),
    consent: changedConsent(row.consent ?? {}, NO_CONSENT_ASKED),
    attendance: row.attendance,
    quotas: quotasOf(row.quotas),
    joinHook: row.joinHook,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    erasureBeginsAt: row.erasureBeginsAt?.toISOString() ?? null,
  };
}

/** What the audit log says about an organization. */
export const auditedFields = (row: OrganizationEntity) => ({
  name: row.name,
  billing: toBilling(row),
  verifiedDomains: row.verifiedDomains,
  logoUrl: sha256OfLogo(row.logoUrl) ? row.logoUrl : originOf(row.logoUrl),
  primaryColor: row.primaryColor,
  accentColor: row.accentColor,
  retention: row.retention,
  consent: row.consent,
  attendance: row.attendance,
  quotas: row.quotas,
  joinHook: row.joinHook && { ...row.joinHook, url: originOf(row.joinHook.url) },
});

function toBilling(row: OrganizationEntity): Organization['billing'] {
  if (!row.billingType) return null;
  const rate = { creditRate: Number(row.creditRate), currency: row.currency ?? '' };
  if (row.billingType === 'PREPAID') return { type: 'PREPAID', credits: row.openingCredits ?? 0, ...rate };
  return {
    type: 'POSTPAID',
    billingFrequency: row.billingFrequency ?? 'MONTHLY',
    cycleStartDate: row.cycleStart?.toISOString() ?? '',
    ...rate,
  };
}

type PlanColumns = Pick<
  OrganizationEntity,
  'billingType' | 'creditRate' | 'currency' | 'openingCredits' | 'billingFrequency' | 'cycleStart'
>;

export const NO_PLAN: PlanColumns = {
  billingType: null,
  creditRate: null,
  currency: null,
  openingCredits: null,
  billingFrequency: null,
  cycleStart: null,
};

/**
 * The columns of `plan`, which replaces the plan in `present`. Opening credits count once, when a prepaid plan begins. A
 * billing cycle keeps its start unless `plan` gives another.
 */
export function toPlanColumns(plan: BillingPlan, present: PlanColumns, now: Date): PlanColumns {
  const rate = { billingType: plan.type, creditRate: plan.creditRate, currency: plan.currency };
  const same = present.billingType === plan.type;
  if (plan.type === 'PREPAID') {
    const openingCredits = same ? present.openingCredits : plan.credits;
    return { ...NO_PLAN, ...rate, openingCredits };
  }
  const given = plan.cycleStartDate ? new Date(plan.cycleStartDate) : undefined;
  const cycleStart = given ?? (same ? present.cycleStart : null) ?? now;
  return { ...NO_PLAN, ...rate, billingFrequency: plan.billingFrequency, cycleStart };
}

/**
 * Strictly later than the previous change, even within one millisecond or after the clock was set back: readers keep the change
 * with the latest time.
 */
export const timeOfChange = (before: Date, now: Date) => new Date(Math.max(now.getTime(), before.getTime() + 1));

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

@Injectable()
export class UploadedLogos {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly logos: LogosRepository,
    private readonly changes: OrganizationChanges,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND (also if its erasure was requested); SERVICE_UNAVAILABLE if another upload began meanwhile */
  @Handles(logoRpc.put)
  put({ organizationId, sha256, number, parts, logoPart }: RpcInput<typeof logoRpc.put>) {
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.lock(tx, organizationId);
      // Of earlier uploads that did not end.
      if (number === 0) await this.logos.removeExcept(tx, organizationId, [sha256, sha256OfLogo(row.logoUrl) ?? '']);
      await this.logos.put(tx, { organizationId, sha256, number, parts, content: Buffer.from(logoPart, 'base64') });
      if (number < parts - 1) return toOrganization(row);

      const logo = await this.logos.read(tx, organizationId, sha256);
      if (createHash('sha256').update(logo).digest('hex') !== sha256) throw new AppError('SERVICE_UNAVAILABLE');
      await this.logos.removeExcept(tx, organizationId, [sha256]);
      return this.changes.save(tx, row, { logoUrl: UPLOADED + sha256 });
    });
  }

  /** @throws AppError NOT_FOUND */
  @Handles(logoRpc.get)
  async get({ sha256, number }: RpcInput<typeof logoRpc.get>) {
    const part = await this.logos.findPart(sha256, number);
    if (!part) throw new AppError('NOT_FOUND');
    return { parts: part.parts, logoPart: part.content.toString('base64') };
  }
}
