import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { organizationId, timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';

/** Longest period of one report, in days. */
export const MAX_USAGE_DAYS = 366;
/** Classes of a day in one answer: those with the most credits. */
export const MAX_CHARGED_CLASSES = 400;
const DAY_MS = 86_400_000;

const date = z.iso.date('must be a date such as 2026-01-31');
const credits = z.number().int().describe('Credits charged so far.');

export const usageDay = z
  .object({
    day: z.string().describe('The day (UTC), `YYYY-MM-DD`.'),
    classes: z.number().int().describe('Number of classes that began on it.'),
    credits,
  })
  .register(NAMES, { id: 'UsageDay', description: 'The classes that began on one day, and what they were charged.' });

export const listDashboardUsageDays = defineOperation({
  operationId: 'listDashboardUsageDays',
  summary: 'List usage by day',
  description: 'Returns for each day of a period how many classes began and what they have been charged. Days without a class are missing.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/usage/days',
  auth: 'dashboard',
  service: 'billing',
  rpc: 'usage.days',
  query: z
    .object({
      from: date.describe('First day (UTC), `YYYY-MM-DD`.'),
      to: date.describe(`Last day (UTC), inclusive, at most ${MAX_USAGE_DAYS} days after \`from\`.`),
    })
    .superRefine(({ from, to }, context) => {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
      if (days < 0 || days >= MAX_USAGE_DAYS)
        context.addIssue({ code: 'custom', path: ['to'], message: `must be 0 to ${MAX_USAGE_DAYS - 1} days after from` });
    }),
  input: z.object({ organizationId, from: z.string(), to: z.string() }),
  output: z.object({ days: z.array(usageDay).max(MAX_USAGE_DAYS).describe('The days, oldest first.') }),
  message: 'Usage by day',
  example: { query: { from: '2026-01-01', to: '2026-01-31' } },
});

export const chargedClass = z
  .object({
    roomId: shown.roomId,
    title: shown.title,
    startedAt: timestamp.describe('When the first participant joined.'),
    endedAt: shown.endedAt,
    credits,
  })
  .register(NAMES, { id: 'ChargedClass', description: 'A class and what it has been charged.' });

export const listDashboardChargedClasses = defineOperation({
  operationId: 'listDashboardChargedClasses',
  summary: 'List charged classes',
  description: `Returns the classes that began on one day and what they have been charged, the most expensive first, at most ${MAX_CHARGED_CLASSES}.`,
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/usage/classes',
  auth: 'dashboard',
  service: 'billing',
  rpc: 'usage.classes',
  query: z.object({ day: date.describe('The day (UTC), `YYYY-MM-DD`.') }),
  output: z.object({ classes: z.array(chargedClass).max(MAX_CHARGED_CLASSES).describe('The classes.') }),
  message: 'Charged classes',
  example: { query: { day: '2026-01-15' } },
});
