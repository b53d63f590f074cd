import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

/** An organization's dashboard tokens were revoked: every process that caches their version has to evict it. The subject is the organization's id. */
export const dashboardTokensRevoked = defineEvent({
  service: 'organization',
  noun: 'dashboard-tokens',
  happened: 'revoked',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), version: z.number().int() }),
});
