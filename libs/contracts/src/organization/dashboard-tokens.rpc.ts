import { z } from 'zod';
import { organizationId } from '../kernel/ids.js';
import { defineRpc } from '../kernel/rpc.js';

export const dashboardTokenRpc = {
  /** The version of an organization's dashboard tokens that is valid. Each revocation increases it. */
  version: defineRpc({
    service: 'organization',
    rpc: 'dashboard-token.version',
    // Part of the authentication of a caller.
    needsCaller: false,
    input: z.object({ organizationId }),
    output: z.object({ version: z.number().int().min(0) }),
    errors: ['ORGANIZATION_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
};
