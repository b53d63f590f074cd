import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { NAMES } from '../kernel/names.js';
import { defineAlias, defineOperation } from '../kernel/operation.js';

const MAX_ALERTS = 10;
const thresholds = (least: number) => z.array(z.number().int().min(least).max(1e9)).max(MAX_ALERTS);

const remaining = thresholds(0);
const consumed = thresholds(1);

export const creditAlerts = z
  .object({
    remaining: remaining.describe('Thresholds of a prepaid balance, in credits, highest first.'),
    consumed: consumed.describe('Thresholds of the credits used in a postpaid cycle, lowest first.'),
  })
  .register(NAMES, { id: 'CreditAlerts', description: 'The thresholds of an organization for its credits.' });
export type CreditAlerts = z.infer<typeof creditAlerts>;

export const setCreditAlertsBody = z.object({
  remaining: remaining
    .default([])
    .describe(
      `\`credits.threshold_reached\` is sent when the prepaid balance falls below one of these, 0 to 1,000,000,000, at most ${MAX_ALERTS}. Default: none.`,
    ),
  consumed: consumed
    .default([])
    .describe(
      `\`credits.threshold_reached\` is sent when the credits of a postpaid cycle reach one of these, 1 to 1,000,000,000, at most ${MAX_ALERTS}. Default: none.`,
    ),
});

const EXAMPLE = { remaining: [5_000, 1_000], consumed: [] };
const GET = {
  summary: 'Get credit alerts',
  description: 'Returns the thresholds at which `credits.threshold_reached` is sent.',
};
const SET = {
  summary: 'Set credit alerts',
  description:
    'Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next.',
};

export const getCreditAlerts = defineOperation({
  ...GET,
  operationId: 'getCreditAlerts',
  tag: 'Billing',
  sdk: 'billing.alerts.get',
  route: 'GET /v1/billing/alerts',
  auth: 'organization',
  scope: 'billing:read',
  requiresPlan: true,
  service: 'billing',
  alsoFor: ['dashboard'],
  output: creditAlerts,
  example: {},
});

export const setCreditAlerts = defineOperation({
  ...SET,
  operationId: 'setCreditAlerts',
  tag: 'Billing',
  sdk: 'billing.alerts.set',
  route: 'PUT /v1/billing/alerts',
  auth: 'organization',
  scope: 'billing:manage',
  audit: 'required',
  requiresPlan: true,
  service: 'billing',
  alsoFor: ['dashboard'],
  body: setCreditAlertsBody,
  output: creditAlerts,
  message: 'Alerts set',
  example: { body: EXAMPLE },
});

export const getDashboardAlerts = defineAlias(getCreditAlerts, {
  ...GET,
  operationId: 'getDashboardAlerts',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/alerts',
  auth: 'dashboard',
  requiresPlan: true,
  example: {},
});

export const setDashboardAlerts = defineEndpoint({
  ...SET,
  description: `${SET.description} Requires the role OWNER.`,
  operationId: 'setDashboardAlerts',
  tag: 'Dashboard',
  route: 'PUT /v1/dashboard/alerts',
  auth: 'dashboard',
  isForOwners: true,
  requiresPlan: true,
  body: setCreditAlertsBody,
  response: envelope(creditAlerts),
  example: { body: EXAMPLE },
});
