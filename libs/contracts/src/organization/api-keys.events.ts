import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

/** A key was rotated or revoked: every process that caches it has to fetch it again. The subject is the key's prefix. */
export const apiKeyChanged = defineEvent({
  service: 'organization',
  noun: 'api-key',
  happened: 'changed',
  watchers: ['gateway'],
  data: z.object({ organizationId: z.string(), keyId: z.string() }),
});
