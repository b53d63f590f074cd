import { z } from 'zod';
import { defineRpc } from '../kernel/rpc.js';
import { retention } from '../privacy/data-classes.js';

export const organizationRpc = {
  /**
   * Whether any organization lists the host, exactly or by a wildcard. The host includes its port unless it is the scheme's
   * default port.
   */
  isVerifiedHost: defineRpc({
    service: 'organization',
    rpc: 'organization.is-verified-host',
    callers: ['gateway', 'media'],
    input: z.object({ host: z.string().max(300) }),
    output: z.object({ isVerified: z.boolean() }),
    timeoutMs: 3_000,
  }),
  /** Asks the organization's backend whether a participant may join, if it has a join hook. */
  askJoinHook: defineRpc({
    service: 'organization',
    rpc: 'join-hook.ask',
    input: z.object({ organizationId: z.string(), roomId: z.string(), sid: z.string(), uid: z.string() }),
    output: z.object({ isAllowed: z.boolean() }),
    /** Milliseconds: the longest time that a hook has, and that its answer is read. */
    timeoutMs: 4_500,
  }),
  /** How long each organization keeps its data, in the order of their ids. For sweeps. */
  retentions: defineRpc({
    service: 'organization',
    rpc: 'organization.retentions',
    callers: ['ai', 'billing', 'recording', 'room'],
    input: z.object({ after: z.string().default(''), limit: z.number().int().min(1).max(100) }),
    output: z.object({
      organizations: z
        .array(
          z.object({
            organizationId: z.string(),
            retention,
            /** The classes whose time the organization has set; the others have their default. */
            set: z.array(z.string()).max(20),
          }),
        )
        .max(100),
    }),
    timeoutMs: 5_000,
  }),
};
