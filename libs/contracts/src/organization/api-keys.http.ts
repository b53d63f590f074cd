import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { instant, organizationId, text, timestamp } from '../kernel/ids.js';
import { scope } from '../kernel/scopes.js';

const DAY_S = 86_400;

export const keyId = z.string().regex(/^key_[A-Za-z0-9]{20}$/, 'must be a key id such as key_…');

export const createApiKeyBody = z.object({
  name: text(128),
  /** What it may do, and nothing else. */
  scopes: z
    .array(scope)
    .min(1)
    .max(50)
    .transform((scopes) => [...new Set(scopes)])
    .pipe(z.array(scope)),
  /** Its end; left out, it has none. */
  expiresAt: instant.optional(),
});

export const rotateApiKeyBody = z
  .object({
    /** Seconds that the secrets before go on beside the new one; 0 ends them at once. */
    graceSeconds: z.number().int().min(0).max(30 * DAY_S).default(DAY_S),
  })
  .prefault({});

export const apiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  /** How its secrets begin, by which one finds it in a configuration. */
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: timestamp.nullable(),
  /** To about a minute. */
  lastUsedAt: timestamp.nullable(),
  /** Until then secrets from before the last rotation are taken too; null where there are none. */
  previousSecretExpiresAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type ApiKey = z.infer<typeof apiKey>;

/** The only answers that show a secret: we keep a hash of it. */
export const apiKeyWithSecret = apiKey.extend({
  /** `vc_live_…`, for `Authorization: Bearer`. */
  secret: z.string(),
});
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecret>;

export const apiKeyList = z.object({ apiKeys: z.array(apiKey) });
export const revokedApiKey = z.object({ keyId: z.string(), revokedAt: timestamp });

const KEYS = '/v1/api-keys' as const;
const KEY = '/v1/api-keys/:keyId' as const;
const KEYS_OF = '/v1/admin/organizations/:organizationId/api-keys' as const;
const params = z.object({ keyId });
const ofOrganization = z.object({ organizationId });
const REFUSED = ['VALIDATION_FAILED', 'UNAUTHORIZED'] as const;
const ONE = [...REFUSED, 'API_KEY_NOT_FOUND'] as const;
const creation = {
  method: 'POST',
  body: createApiKeyBody,
  response: envelope(apiKeyWithSecret),
  // The gateway would keep the secret with its answer.
  idempotency: 'owner',
} as const;

export const createApiKey = defineEndpoint({
  operationId: 'createApiKey',
  summary: 'Make an API key; the answer alone shows its secret. A key gives no more than it may itself',
  path: KEYS,
  auth: 'organization',
  ...creation,
  errors: [...REFUSED, 'FORBIDDEN', 'TOO_MANY_API_KEYS', 'IDEMPOTENCY_CONFLICT'],
});

export const listApiKeys = defineEndpoint({
  operationId: 'listApiKeys',
  summary: 'All of an organization’s API keys, oldest first',
  method: 'GET',
  path: KEYS,
  auth: 'organization',
  response: envelope(apiKeyList),
  errors: ['UNAUTHORIZED'],
});

export const rotateApiKey = defineEndpoint({
  operationId: 'rotateApiKey',
  summary: 'Make a new secret for an API key; those before it go on for a while',
  method: 'POST',
  path: `${KEY}/rotate`,
  auth: 'organization',
  params,
  body: rotateApiKeyBody,
  response: envelope(apiKeyWithSecret),
  errors: [...ONE, 'FORBIDDEN', 'TOO_MANY_API_KEY_SECRETS', 'IDEMPOTENCY_CONFLICT'],
  idempotency: 'owner',
});

export const revokeApiKey = defineEndpoint({
  operationId: 'revokeApiKey',
  summary: 'End an API key at once, with all its secrets',
  method: 'DELETE',
  path: KEY,
  auth: 'organization',
  params,
  response: envelope(revokedApiKey),
  errors: ONE,
});

export const provisionApiKey = defineEndpoint({
  operationId: 'provisionApiKey',
  summary: 'Make an API key for an organization; the answer alone shows its secret',
  path: KEYS_OF,
  auth: 'dispatch',
  params: ofOrganization,
  ...creation,
  errors: [...REFUSED, 'ORGANIZATION_NOT_FOUND', 'TOO_MANY_API_KEYS', 'IDEMPOTENCY_CONFLICT'],
});

export const listOrganizationApiKeys = defineEndpoint({
  operationId: 'listOrganizationApiKeys',
  summary: 'All API keys of an organization, oldest first',
  method: 'GET',
  path: KEYS_OF,
  auth: 'dispatch',
  params: ofOrganization,
  response: envelope(apiKeyList),
  errors: REFUSED,
});

export const revokeOrganizationApiKey = defineEndpoint({
  operationId: 'revokeOrganizationApiKey',
  summary: 'End an API key of an organization at once',
  method: 'DELETE',
  path: `${KEYS_OF}/:keyId`,
  auth: 'dispatch',
  params: ofOrganization.extend({ keyId }),
  response: envelope(revokedApiKey),
  errors: ONE,
});
