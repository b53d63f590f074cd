import { z } from 'zod';
import { defineEvent } from '../kernel/events.js';

/** Rotated or revoked: what anybody remembers of the key is to be asked for again. Its subject is the key's prefix. */
export const apiKeyChanged = defineEvent({
  service: 'organization',
  noun: 'api-key',
  happened: 'changed',
  data: z.object({ organizationId: z.string(), keyId: z.string() }),
});
