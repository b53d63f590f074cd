import { z } from 'zod';
import { NAMES } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';

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

export const getCreditAlerts = defineOperation({
  operationId: 'getCreditAlerts',
  summary: 'Get credit alerts',
  description: 'Returns the thresholds at which `credits.threshold_reached` is sent.',
  tag: 'Billing',
  sdk: 'billing.alerts.get',
  route: 'GET /v1/billing/alerts',
  auth: 'organization',
  scope: 'billing:read',
  dashboardRole: 'MEMBER',
  requiresPlan: true,
  service: 'billing',
  output: creditAlerts,
  example: {},
});

export const setCreditAlerts = defineOperation({
  operationId: 'setCreditAlerts',
  summary: 'Set credit alerts',
  description:
    'Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next.',
  tag: 'Billing',
  sdk: 'billing.alerts.set',
  route: 'PUT /v1/billing/alerts',
  auth: 'organization',
  scope: 'billing:manage',
  dashboardRole: 'OWNER',
  audit: 'required',
  requiresPlan: true,
  service: 'billing',
  body: setCreditAlertsBody,
  output: creditAlerts,
  message: 'Alerts set',
  example: { body: { remaining: [5_000, 1_000], consumed: [] } },
});
