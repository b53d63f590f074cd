import {
  forEachCaller,
  type AuditedCall,
  type ClassroomCaller,
  type DashboardRole,
  type EndpointContract,
  type EndpointInput,
  type ErrorDetail,
  type Organization,
} from '@classroom/contracts';
import { beginRequest, routeOf, type RequestContext } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operator } from '../operators-setting.js';

/** The scopes of an API key, and when it expires. */
interface ApiKeyRights {
  keyId: string;
  scopes: string[];
  expiresAt: string | null;
}

export interface DashboardCaller {
  kind: 'dashboard';
  organization: Organization;
  subject: string;
  role: DashboardRole;
  /** Undefined if the token is of a release that knew no sessions. */
  sessionId: string | undefined;
  /** The API key that issued the caller’s token; undefined if none did. */
  apiKey: ApiKeyRights | undefined;
}

/** The caller, as the endpoint's kind of authentication identified it. */
export type Caller =
  | { kind: 'none' | 'livekit' }
  | { kind: 'dispatch'; operator: Operator }
  | { kind: 'organization'; organization: Organization; credentialId: string; apiKey?: undefined }
  | { kind: 'organization'; organization: Organization; apiKey: ApiKeyRights }
  | DashboardCaller
  | { kind: 'participant'; participant: ClassroomCaller };

/** One call of the API, from its first byte to its last. */
export interface ApiRequestContext extends RequestContext {
  endpoint: EndpointContract | undefined;
  caller: Caller;
  /** Parameters, query and body, after validation. */
  input?: EndpointInput<EndpointContract>;
  /** Unknown fields of the request, which the answer names. */
  warnings?: readonly ErrorDetail[];
  /** The caller's Idempotency-Key, for an owner that stores it itself. */
  ownerKey?: { key: string; bodyHash: string };
  /** Redis key for the answer to a request with an Idempotency-Key. */
  replyKey?: string;
  /** Renews the claim on that key while the request is in progress. */
  renewal?: NodeJS.Timeout;
  /** A model answers a key only once, even if the answer is not stored: another answer would add and charge a turn of the dialogue. */
  isAnsweredOnce?: true;
  /** The call's entry in the audit log, from the moment at which it was first stored. */
  audit?: AuditedCall;
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: ApiRequestContext;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointContract;
  }
}

/** The endpoint of a request's route: operators and participants may have a path of their own. */
export function endpointOf({ is404, routeOptions }: FastifyRequest): EndpointContract | undefined {
  if (is404) return undefined;
  const { endpoint } = routeOptions.config as { endpoint?: EndpointContract };
  return endpoint && (forEachCaller(endpoint).find(({ path }) => path === routeOptions.url) ?? endpoint);
}

export function beginApiRequest(request: FastifyRequest, reply: FastifyReply): void {
  const endpoint = endpointOf(request);
  Object.assign(beginRequest(request, reply, { route: endpoint?.path ?? routeOf(request) }), {
    endpoint,
    caller: { kind: 'none' },
  });
}
