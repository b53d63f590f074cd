import {
  changedConsent,
  NO_CONSENT_ASKED,
  quotasOf,
  retentionOf,
  sha256OfLogo,
  type BillingPlan,
  type Organization,
} from '@classroom/contracts';
import { originOf } from '../audit/audit-changes.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';

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
