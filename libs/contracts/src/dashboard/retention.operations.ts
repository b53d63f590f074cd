import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { queryInteger } from '../kernel/fields.js';
import { retainedClass } from '../privacy/data-classes.js';

export const retentionEffect = z
  .object({
    dataClass: retainedClass.meta({ 'x-extensible': true }).describe('The class of data.'),
    erased: z
      .number()
      .int()
      .describe(
        'What would be erased within about an hour: the number of classes, of `recordings` and `aiDialogues` that of recordings and dialogues.',
      ),
    stored: z.number().int().describe('What is stored now, counted in the same way.'),
    oldestAt: timestamp.nullable().describe('When the oldest of what would be erased began to age; null if nothing would be erased.'),
    before: timestamp.describe('What began to age at this time, or earlier, would be erased.'),
  })
  .register(NAMES, { id: 'RetentionEffect', description: 'What a shorter retention of a class of data would erase.' });

export const getDashboardRetentionEffect = defineEndpoint({
  operationId: 'getDashboardRetentionEffect',
  summary: 'Preview dashboard retention',
  description: 'Returns what a shorter retention of one class of data would erase. Changes nothing. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/retention/effect',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  query: z.object({
    dataClass: retainedClass.describe('The class of data.'),
    kept: queryInteger({ min: 1, max: 100_000 }).describe('The retention, in the unit of the class, 1 to 100,000.'),
  }),
  response: envelope(retentionEffect),
  example: { query: { dataClass: 'chat', kept: 90 } },
});
