import { z } from 'zod';
import { organizationId, timestamp } from '../kernel/values.js';
import { defineRpc } from '../kernel/rpc.js';
import { endedDashboardSession } from './dashboard-tokens.operations.js';

export const dashboardTokenRpc = {
  /** The version of an organization's dashboard tokens that is valid. Each revocation increases it. */
  version: defineRpc({
    service: 'organization',
    rpc: 'dashboard-token.version',
    // Part of the authentication of a caller.
    needsCaller: false,
    input: z.object({
      organizationId,
      /** The session of the token. Undefined if a release made it that knew no sessions. */
      sessionId: z.string().max(64).optional(),
    }),
    output: z.object({
      version: z.number().int().min(0),
      /** Whether the session is open. Undefined if none was asked for, or by a release that knows no sessions. */
      isOpen: z.boolean().optional(),
    }),
    errors: ['ORGANIZATION_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /** Opens the session of a token before it is signed. */
  open: defineRpc({
    service: 'organization',
    rpc: 'dashboard-token.open',
    input: z.object({
      organizationId,
      sessionId: z.uuid(),
      expiresAt: timestamp,
      /** The API key that issues the token; absent if none does. */
      keyId: z.string().optional(),
    }),
    output: z.object({ version: z.number().int().min(0) }),
    errors: ['ORGANIZATION_NOT_FOUND'],
    timeoutMs: 3_000,
  }),
  /** Ends the session of a token. */
  end: defineRpc({
    service: 'organization',
    rpc: 'dashboard-token.end',
    input: z.object({ organizationId, sessionId: z.uuid() }),
    output: endedDashboardSession,
    errors: ['NOT_FOUND'],
  }),
};
