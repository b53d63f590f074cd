import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { keyId } from './api-keys.operations.js';

const service = 'organization' as const;
/** Every request with a key may wait for it: short enough that the caller still gets its answer in time. */
const OWNER_TIMEOUT_MS = 3_000;
export const MAX_KEY_USES = 1_000;

export const apiKeyRpc = {
  /** A key, and what its secrets are known by: whoever asks compares. */
  find: defineRpc({
    service,
    rpc: 'api-key.find',
    input: z.object({
      /** Between `vc_live_` and the secret. */
      prefix: z.string(),
    }),
    output: z.object({
      keyId: z.string(),
      organizationId: z.string(),
      scopes: z.array(z.string()),
      expiresAt: timestamp.nullable(),
      /** SHA-256 of each secret that is taken, in hex, and until when it is, where that has an end. */
      secrets: z.array(z.object({ hash: z.string(), validUntil: timestamp.nullable() })),
    }),
    errors: ['API_KEY_NOT_FOUND'],
    timeoutMs: OWNER_TIMEOUT_MS,
  }),
  /** What gateways saw used since they told last. */
  used: defineRpc({
    service,
    rpc: 'api-key.used',
    input: z.object({ uses: z.array(z.object({ keyId, usedAt: timestamp })).max(MAX_KEY_USES) }),
    output: z.object({}),
  }),
};
