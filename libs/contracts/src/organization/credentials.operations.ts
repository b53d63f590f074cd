import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ownersKey } from '../kernel/caller.js';
import { CREDENTIAL, NAMES } from '../kernel/reference.js';
import { instant, organizationId, timestamp } from '../kernel/values.js';

export const credentialId = z.string().regex(/^cred_[A-Za-z0-9]{20}$/, 'must be a credential id such as cred_…');

export const createCredentialBody = z.object({ expiresAt: instant.optional().describe('When the credential expires. Default: never.') });

/** Only operators choose a value: to an organization, the refusal of a value that exists would reveal the credential of another one. */
export const provisionCredentialBody = createCredentialBody.extend({
  value: organizationId
    .optional()
    .describe(
      'The value, 1 to 64 of `A-Z a-z 0-9 _ -`, in production at least 24. Default: a random one, which you should prefer: it is a secret.',
    ),
});

export const credential = z
  .object({
    credentialId: z.string().describe('Id of the credential.'),
    hint: z.string().describe('The last characters of the value, to identify it in a configuration; empty for a value of fewer than 16.'),
    expiresAt: timestamp.nullable().describe('When the credential expires; null: never.'),
    lastUsedAt: timestamp.nullable().describe('When it was last used, to about a minute; null if it never was.'),
    createdAt: timestamp.describe('When the credential was created.'),
  })
  .register(NAMES, { id: 'Credential', description: 'A credential for `VF-ORG-ID`, without its value.' });
export type Credential = z.infer<typeof credential>;

/** The only answers that contain a value: we store only its hash. */
export const credentialWithValue = credential
  .extend({ value: z.string().describe('The value for `VF-ORG-ID`. It is shown only here.') })
  .register(NAMES, { id: 'CredentialWithValue', description: 'A new credential and its value. Only the hash of the value is stored.' });
export type CredentialWithValue = z.infer<typeof credentialWithValue>;

export const credentialList = z.object({ credentials: z.array(credential).max(100).describe('The credentials, oldest first.') });
export const revokedCredential = z
  .object({
    credentialId: z.string().describe('Id of the credential.'),
    revokedAt: timestamp.describe('When the credential was revoked.'),
  })
  .register(NAMES, { id: 'RevokedCredential', description: 'A credential that was revoked.' });

const params = z.object({ credentialId: credentialId.describe('Id of the credential, `cred_` and 20 characters.') });
/** Whether an API key makes the call. A credential has every permission, so no key may manage credentials. */
const isByKey = z.boolean().default(false);

export const createCredential = defineOperation({
  operationId: 'createCredential',
  summary: 'Create credential',
  description: 'Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials.',
  tag: 'Credentials',
  sdk: 'credentials.create',
  route: 'POST /v1/credentials',
  auth: 'organization',
  scope: 'keys:manage',
  // The gateway would store the value together with its answer.
  idempotency: 'owner',
  service: 'organization',
  rpc: 'credential.create',
  body: createCredentialBody.prefault({}),
  input: provisionCredentialBody.extend({ organizationId, isByKey, idempotency: ownersKey.optional() }),
  toInput: ({ body, apiKey }) => ({ ...body, isByKey: apiKey !== undefined }),
  output: credentialWithValue,
  message: 'Credential created',
  errors: ['TOO_MANY_CREDENTIALS', 'CREDENTIAL_ALREADY_EXISTS', 'ORGANIZATION_NOT_FOUND'],
  example: { body: {} },
  operators: {
    path: '/credentials',
    summary: 'Create organization credential',
    tag: 'Organization credentials',
    sdk: 'credentials.create',
    body: provisionCredentialBody.prefault({}),
  },
  links: { credentialId: '$response.body#/data/credentialId' },
});

export const listCredentials = defineOperation({
  operationId: 'listCredentials',
  summary: 'List credentials',
  description: 'Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values.',
  tag: 'Credentials',
  sdk: 'credentials.list',
  route: 'GET /v1/credentials',
  auth: 'organization',
  scope: 'keys:manage',
  service: 'organization',
  rpc: 'credential.list',
  output: credentialList,
  message: 'Credentials',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
  operators: { path: '/credentials', summary: 'List organization credentials', tag: 'Organization credentials', sdk: 'credentials.list' },
});

export const revokeCredential = defineOperation({
  operationId: 'revokeCredential',
  summary: 'Revoke credential',
  description: 'Revokes a credential immediately. The last one can be revoked by an operator only.',
  tag: 'Credentials',
  sdk: 'credentials.revoke',
  route: 'DELETE /v1/credentials/:credentialId',
  auth: 'organization',
  scope: 'keys:manage',
  service: 'organization',
  rpc: 'credential.revoke',
  params,
  input: z.object({ organizationId, credentialId, isByKey, isByOperator: z.boolean().default(false) }),
  toInput: ({ params, apiKey }) => ({ ...params, isByKey: apiKey !== undefined }),
  output: revokedCredential,
  message: 'Credential revoked',
  errors: ['CREDENTIAL_NOT_FOUND', 'LAST_CREDENTIAL'],
  example: { params: CREDENTIAL },
  operators: {
    path: '/credentials/:credentialId',
    summary: 'Revoke organization credential',
    description: 'Revokes a credential of an organization immediately. After the last one, only API keys are accepted.',
    tag: 'Organization credentials',
    sdk: 'credentials.revoke',
    toInput: ({ params }) => ({ ...params, isByOperator: true }),
  },
});
