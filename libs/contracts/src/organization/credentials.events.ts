import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

/** A credential was revoked: every process that caches it has to evict it. The subject is the credential's id. */
export const credentialRevoked = defineEvent({
  service: 'organization',
  noun: 'credential',
  happened: 'revoked',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), credentialId: z.string() }),
});
