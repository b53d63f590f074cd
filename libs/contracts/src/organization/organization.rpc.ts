import { z } from 'zod';
import { defineRpc } from '../kernel/rpc.js';

export const organizationRpc = {
  /** Whether any organization lists the host (with its port where it isn't the scheme's own), itself or by a wildcard. */
  isVerifiedHost: defineRpc({
    service: 'organization',
    rpc: 'organization.is-verified-host',
    input: z.object({ host: z.string().max(300) }),
    output: z.object({ isVerified: z.boolean() }),
    timeoutMs: 3_000,
  }),
};
