import { z } from 'zod';
import { organizationId } from './ids.js';

/** A participant as its bearer proved it. Role and rights are read from the rows, never from here. */
export const classroomCaller = z.object({
  sid: z.string(),
  uid: z.string(),
  organizationId: z.string(),
  /** Which of the participant's sessions; null for a join token, which has opened none yet. */
  sessionNumber: z.number().int().nullable(),
  /** Milliseconds since 1970 at which the bearer was signed; a removal kills what is older. */
  issuedAt: z.number().int(),
});
export type ClassroomCaller = z.infer<typeof classroomCaller>;

/** The caller's own Idempotency-Key and a hash of its body, for an operation whose owner keeps them. */
export const ownersKey = z.object({ key: z.string(), bodyHash: z.string().default('') });

/**
 * Who may call an endpoint, and by what: `organization` the VF-ORG-ID header or an API key, `dispatch` the operator's secret,
 * `participant` a join or classroom token, `classroom` a classroom token, `dashboard` a dashboard token, `livekit` the
 * webhook's signature.
 */
export type EndpointAuth = 'none' | 'organization' | 'dispatch' | 'participant' | 'classroom' | 'dashboard' | 'livekit';

const OF_ORGANIZATION = { organizationId };
const OF_PARTICIPANT = { caller: classroomCaller };

/** What the gateway adds of the caller to an operation's input. */
export const CALLER_FIELDS: Record<EndpointAuth, z.ZodRawShape> = {
  none: {},
  dispatch: {},
  livekit: {},
  organization: OF_ORGANIZATION,
  dashboard: OF_ORGANIZATION,
  participant: OF_PARTICIPANT,
  classroom: OF_PARTICIPANT,
};

export type CallerFields<A extends EndpointAuth> = A extends 'organization' | 'dashboard'
  ? { organizationId: string }
  : A extends 'participant' | 'classroom'
    ? { caller: ClassroomCaller }
    : unknown;
