import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

/** All of an organization's dashboard tokens were revoked, or one of its sessions ended: every process that caches them has to evict them. The subject is the organization's id. */
export const dashboardTokensRevoked = defineEvent({
  service: 'organization',
  noun: 'dashboard-tokens',
  happened: 'revoked',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), version: z.number().int() }),
});
