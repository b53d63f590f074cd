import { z } from 'zod';
import { defineRpc } from '../kernel/rpc.js';

export const organizationRpc = {
  /**
   * Whether any organization lists the host, exactly or by a wildcard. The host includes its port unless it is the scheme's
   * default port.
   */
  isVerifiedHost: defineRpc({
    service: 'organization',
    rpc: 'organization.is-verified-host',
    input: z.object({ host: z.string().max(300) }),
    output: z.object({ isVerified: z.boolean() }),
    timeoutMs: 3_000,
  }),
};
