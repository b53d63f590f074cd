import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';
import { keyId, MAX_API_KEY_SECRETS, MAX_SCOPES } from './api-keys.operations.js';

const service = 'organization' as const;
/** Any request with a key may wait for this call, so the timeout is short enough for the caller to still get its answer in time. */
const OWNER_TIMEOUT_MS = 3_000;
/** Uses in one report, of API keys or of credentials. */
export const MAX_REPORTED_USES = 1_000;

export const apiKeyRpc = {
  /** A key and the hashes of its secrets; the caller compares the secret itself. */
  find: defineRpc({
    service,
    rpc: 'api-key.find',
    input: z.object({
      /** The part between `vc_live_` and the secret. */
      prefix: z.string(),
    }),
    output: z.object({
      keyId: z.string(),
      organizationId: z.string(),
      scopes: z.array(z.string()).max(MAX_SCOPES),
      expiresAt: timestamp.nullable(),
      /** SHA-256 in hex of each secret that is accepted, and until when; `validUntil` is null if the secret has no end. */
      secrets: z.array(z.object({ hash: z.string(), validUntil: timestamp.nullable() })).max(MAX_API_KEY_SECRETS),
    }),
    errors: ['API_KEY_NOT_FOUND'],
    timeoutMs: OWNER_TIMEOUT_MS,
  }),
  /** The uses of keys that a gateway has seen since its last report. */
  used: defineRpc({
    service,
    rpc: 'api-key.used',
    input: z.object({ uses: z.array(z.object({ keyId, usedAt: timestamp })).max(MAX_REPORTED_USES) }),
    output: z.object({}),
  }),
};
