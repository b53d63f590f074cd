import { z } from 'zod';
import { organizationId } from './values.js';

/** The scopes of an API key. `VF-ORG-ID` has all of them. */
export const SCOPES = [
  'rooms:read',
  'rooms:write',
  'chat:read',
  'reports:read',
  'recordings:read',
  'recordings:write',
  'recordings:manage',
  'videos:read',
  'videos:write',
  'billing:read',
  'billing:manage',
  'ai:use',
  'events:read',
  'webhooks:manage',
  'keys:manage',
  'dashboard:issue',
  'privacy:manage',
  'audit:read',
] as const;
export const scope = z.enum(SCOPES);
export type Scope = z.infer<typeof scope>;

/** A participant as authenticated by its bearer token. Role and permissions come from the database, never from the token. */
export const classroomCaller = z.object({
  sid: z.string(),
  uid: z.string(),
  organizationId: z.string(),
  /** The participant's session number; null for a join token, which has not opened a session yet. */
  sessionNumber: z.number().int().nullable(),
  /** When the bearer token was signed, in milliseconds since 1970. A removal invalidates older tokens. */
  issuedAt: z.number().int(),
  /** From when the bearer token can be used, in milliseconds since 1970, if that is later than now. */
  notBefore: z.number().int().optional(),
});
export type ClassroomCaller = z.infer<typeof classroomCaller>;

/** The caller's Idempotency-Key and a hash of its body, for an operation whose owning service stores the keys. */
export const ownersKey = z.object({ key: z.string(), bodyHash: z.string().default('') });

/** Both roles see the organization's classes and costs. An OWNER may also change branding and retention, and manage webhooks and API keys. */
export const dashboardRole = z.enum(['OWNER', 'MEMBER']);
export type DashboardRole = z.infer<typeof dashboardRole>;

/**
 * Who may call an endpoint, and with which credential: `organization` with the VF-ORG-ID header or an API key, `dispatch` with
 * the operator's secret, `participant` with a join or classroom token, `classroom` with a classroom token, `dashboard` with a
 * dashboard token, `livekit` with the webhook's signature.
 */
export type EndpointAuth = 'none' | 'organization' | 'dispatch' | 'participant' | 'classroom' | 'dashboard' | 'livekit';

/**
 * What the gateway's statement says of a caller (ADR 53): its kind, or the scopes of its API key. `organization` includes all scopes.
 */
export type Right = EndpointAuth | Scope;

const OF_ORGANIZATION = { organizationId };
const OF_PARTICIPANT = { caller: classroomCaller };

/** The fields about the caller that the gateway adds to an operation's input. */
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
