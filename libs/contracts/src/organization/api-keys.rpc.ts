import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';
import { apiKeyList, apiKeyWithSecret, createApiKeyBody, keyId, revokedApiKey, rotateApiKeyBody } from './api-keys.http.js';

const service = 'organization' as const;
const noun = 'api-key';
const ofKey = z.object({ organizationId, keyId });
/** The caller's own, of which no answer is kept: a secret is shown once. */
const idempotency = z.object({ key: z.string() }).optional();
/** The API key that asks, where one does: it gives no more than it has, and for no longer, and revokes none that can do more. */
const by = z.object({ scopes: z.array(z.string()), expiresAt: timestamp.nullable() }).optional();

/** Every request with a key may wait for it: short enough that the caller still gets its answer in time. */
const OWNER_TIMEOUT_MS = 3_000;
export const MAX_KEY_USES = 1_000;

export const apiKeyRpc = {
  create: defineRpc({
    service,
    noun,
    verb: 'create',
    input: createApiKeyBody.extend({ organizationId, by, idempotency }),
    output: apiKeyWithSecret,
    errors: ['ORGANIZATION_NOT_FOUND', 'VALIDATION_FAILED', 'FORBIDDEN', 'TOO_MANY_API_KEYS', 'IDEMPOTENCY_CONFLICT'],
  }),
  list: defineRpc({ service, noun, verb: 'list', input: z.object({ organizationId }), output: apiKeyList }),
  rotate: defineRpc({
    service,
    noun,
    verb: 'rotate',
    input: ofKey.extend({ graceSeconds: rotateApiKeyBody.unwrap().shape.graceSeconds, by, idempotency }),
    output: apiKeyWithSecret,
    errors: ['API_KEY_NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_API_KEY_SECRETS', 'IDEMPOTENCY_CONFLICT'],
  }),
  revoke: defineRpc({ service, noun, verb: 'revoke', input: ofKey.extend({ by }), output: revokedApiKey, errors: ['API_KEY_NOT_FOUND', 'FORBIDDEN'] }),
  /** A key, and what its secrets are known by: whoever asks compares. */
  find: defineRpc({
    service,
    noun,
    verb: 'find',
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
    noun,
    verb: 'used',
    input: z.object({ uses: z.array(z.object({ keyId, usedAt: timestamp })).max(MAX_KEY_USES) }),
    output: z.object({}),
  }),
};
