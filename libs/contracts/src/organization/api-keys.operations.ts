import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ownersKey, scope } from '../kernel/caller.js';
import { API_KEY, NAMES, ORGANIZATION } from '../kernel/reference.js';
import { instant, organizationId, text, timestamp } from '../kernel/values.js';

const DAY_S = 86_400;
/** Of an organization. */
export const MAX_API_KEYS = 20;
/** Of a key. */
export const MAX_SCOPES = 50;
/**
 * How many secrets of a key may be valid at the same time: the current one and those that rotations left, even if the
 * rotation's answer was lost.
 */
export const MAX_API_KEY_SECRETS = 5;

export const keyId = z.string().regex(/^key_[A-Za-z0-9]{20}$/, 'must be a key id such as key_…');

export const createApiKeyBody = z.object({
  name: text(128).describe('Name of the key, 1 to 128 characters, to tell your keys apart.'),
  scopes: z
    .array(scope)
    .min(1)
    .max(MAX_SCOPES)
    .transform((scopes) => [...new Set(scopes)])
    .pipe(z.array(scope))
    .describe('The only permissions of the key, 1 to 50; at most those of the caller.'),
  expiresAt: instant
    .optional()
    .describe('When the key expires. Default: never, or after the longest lifetime that the operators allow. A later time is refused.'),
});

export const rotateApiKeyBody = z
  .object({
    graceSeconds: z
      .number()
      .int()
      .min(0)
      .max(30 * DAY_S)
      .default(DAY_S)
      .describe(
        'Seconds for which the earlier secrets stay valid, 0 to 2,592,000 (30 days); 0 revokes them immediately. Default: 86,400 (a day).',
      ),
  })
  .prefault({});

export const apiKey = z
  .object({
    keyId: z.string().describe('Id of the key.'),
    name: z.string().describe('Name of the key.'),
    prefix: z.string().describe('The first characters of its secrets, to identify the key in a configuration.'),
    scopes: z.array(z.string()).max(MAX_SCOPES).describe('The permissions of the key.'),
    expiresAt: timestamp.nullable().describe('When the key expires; null: never.'),
    lastUsedAt: timestamp.nullable().describe('When the key was last used, to about a minute; null if it never was.'),
    previousSecretExpiresAt: timestamp
      .nullable()
      .describe('Until when secrets from before the last rotation are accepted; null if there are none.'),
    createdByKeyId: z
      .string()
      .nullable()
      .optional()
      .describe('The API key that created this one; null if it was created with `VF-ORG-ID` or by an operator.'),
    createdAt: timestamp.describe('When the key was created.'),
  })
  .register(NAMES, { id: 'ApiKey', description: 'An API key, without its secret.' });
export type ApiKey = z.infer<typeof apiKey>;

/** The only answers that contain a secret: we store only its hash. */
export const apiKeyWithSecret = apiKey
  .extend({
    secret: z.string().describe('The secret, `vc_live_…`, for `Authorization: Bearer`. It is shown only here.'),
  })
  .register(NAMES, { id: 'ApiKeyWithSecret', description: 'An API key and its new secret. Only the hash of the secret is stored.' });
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecret>;

export const apiKeyList = z.object({ apiKeys: z.array(apiKey).max(MAX_API_KEYS).describe('The keys, oldest first.') });
export const revokedApiKey = z
  .object({
    keyId: z.string().describe('Id of the key.'),
    revokedAt: timestamp.describe('When the key was revoked.'),
    alsoRevoked: z
      .array(z.string())
      .max(MAX_API_KEYS)
      .optional()
      .describe('Ids of the keys that were revoked with it, because it created them.'),
  })
  .register(NAMES, { id: 'RevokedApiKey', description: 'An API key that was revoked.' });

const params = z.object({ keyId: keyId.describe('Id of the key, `key_` and 20 characters.') });
/**
 * The API key that makes the call, if one does. It cannot grant a scope or a lifetime beyond its own, nor revoke a key that has a
 * scope which it lacks.
 */
const keyRights = z.object({ keyId: keyId.optional(), scopes: z.array(z.string()), expiresAt: timestamp.nullable() });

export const createApiKey = defineOperation({
  operationId: 'createApiKey',
  summary: 'Create API key',
  description: 'Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself.',
  tag: 'API keys',
  sdk: 'apiKeys.create',
  route: 'POST /v1/api-keys',
  auth: 'organization',
  scope: 'keys:manage',
  dashboardRole: 'OWNER',
  // The gateway would store the secret together with its answer.
  idempotency: 'owner',
  service: 'organization',
  rpc: 'api-key.create',
  body: createApiKeyBody,
  input: createApiKeyBody.extend({ organizationId, idempotency: ownersKey.optional(), by: keyRights.optional() }),
  toInput: ({ body, apiKey }) => ({ ...body, by: apiKey }),
  output: apiKeyWithSecret,
  message: 'API key created',
  errors: ['TOO_MANY_API_KEYS', 'ORGANIZATION_NOT_FOUND'],
  example: { body: { name: 'Timetable', scopes: ['rooms:read', 'rooms:write'] } },
  links: { keyId: '$response.body#/data/keyId' },
  operators: {
    path: '/api-keys',
    summary: 'Create organization API key',
    tag: 'Organization API keys',
    sdk: 'apiKeys.create',
    example: { params: ORGANIZATION, body: { name: 'First key', scopes: ['keys:manage'] } },
  },
});

export const listApiKeys = defineOperation({
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'Returns the organization’s API keys, oldest first.',
  tag: 'API keys',
  sdk: 'apiKeys.list',
  route: 'GET /v1/api-keys',
  auth: 'organization',
  scope: 'keys:manage',
  dashboardRole: 'OWNER',
  service: 'organization',
  rpc: 'api-key.list',
  output: apiKeyList,
  message: 'API keys',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
  operators: { path: '/api-keys', summary: 'List organization API keys', tag: 'Organization API keys', sdk: 'apiKeys.list' },
});

export const rotateApiKey = defineOperation({
  operationId: 'rotateApiKey',
  summary: 'Rotate API key',
  description:
    'Creates a new secret for an API key. The earlier secrets stay valid for a limited time. A key can rotate itself and the keys that it created.',
  tag: 'API keys',
  sdk: 'apiKeys.rotate',
  route: 'POST /v1/api-keys/:keyId/rotate',
  auth: 'organization',
  scope: 'keys:manage',
  idempotency: 'owner',
  service: 'organization',
  rpc: 'api-key.rotate',
  params,
  body: rotateApiKeyBody,
  input: z.object({
    organizationId,
    keyId,
    ...rotateApiKeyBody.unwrap().shape,
    idempotency: ownersKey.optional(),
    by: keyRights.optional(),
  }),
  toInput: ({ params, body, apiKey }) => ({ ...params, ...body, by: apiKey }),
  output: apiKeyWithSecret,
  message: 'API key rotated',
  errors: ['API_KEY_NOT_FOUND', 'TOO_MANY_API_KEY_SECRETS'],
  example: { params: API_KEY, body: { graceSeconds: 3600 } },
});

export const revokeApiKeyQuery = z.object({
  keepCreated: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` keeps the keys that this key created. Default: they are revoked, too, because a stolen key can create others.'),
});

export const revokeApiKey = defineOperation({
  operationId: 'revokeApiKey',
  summary: 'Revoke API key',
  description: 'Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one.',
  tag: 'API keys',
  sdk: 'apiKeys.revoke',
  route: 'DELETE /v1/api-keys/:keyId',
  auth: 'organization',
  scope: 'keys:manage',
  dashboardRole: 'OWNER',
  service: 'organization',
  rpc: 'api-key.revoke',
  params,
  query: revokeApiKeyQuery,
  input: z.object({ organizationId, keyId, keepsCreated: z.boolean().default(false), by: keyRights.optional() }),
  toInput: ({ params, query, apiKey }) => ({ ...params, keepsCreated: query.keepCreated === 'true', by: apiKey }),
  output: revokedApiKey,
  message: 'API key revoked',
  errors: ['API_KEY_NOT_FOUND', 'ORGANIZATION_NOT_FOUND'],
  example: { params: API_KEY },
  operators: {
    path: '/api-keys/:keyId',
    summary: 'Revoke organization API key',
    tag: 'Organization API keys',
    sdk: 'apiKeys.revoke',
  },
});
