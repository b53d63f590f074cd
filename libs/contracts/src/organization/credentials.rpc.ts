import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';
import { MAX_REPORTED_USES } from './api-keys.rpc.js';
import { credentialId } from './credentials.operations.js';

const service = 'organization' as const;
/** Any request may wait for this call, so the timeout is short enough for the caller to still get its answer in time. */
const OWNER_TIMEOUT_MS = 3_000;

export const credentialRpc = {
  /** The credential whose value has this hash, if it is not revoked. */
  find: defineRpc({
    service,
    rpc: 'credential.find',
    input: z.object({
      /** SHA-256 of the value, in hex. */
      hash: z.string().length(64),
    }),
    output: z.object({ credentialId: z.string(), organizationId: z.string(), expiresAt: timestamp.nullable() }),
    errors: ['CREDENTIAL_NOT_FOUND'],
    timeoutMs: OWNER_TIMEOUT_MS,
  }),
  /** The uses of credentials that a gateway has seen since its last report. */
  used: defineRpc({
    service,
    rpc: 'credential.used',
    input: z.object({ uses: z.array(z.object({ credentialId, usedAt: timestamp })).max(MAX_REPORTED_USES) }),
    output: z.object({}),
  }),
};
