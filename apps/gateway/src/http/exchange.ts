import type { ClassroomCaller, DashboardRole, EndpointContract, EndpointInput, Organization } from '@classroom/contracts';
import { beginExchange, routeOf, type Exchange } from '@classroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What an API key may do, and until when. */
interface ApiKeyRights {
  scopes: string[];
  expiresAt: string | null;
}

export interface DashboardCaller {
  kind: 'dashboard';
  organization: Organization;
  subject: string;
  role: DashboardRole;
}

/** Who called, as the endpoint's kind of authentication proved it. */
export type Caller =
  | { kind: 'none' | 'dispatch' | 'livekit' }
  | { kind: 'organization'; organization: Organization; apiKey?: ApiKeyRights }
  | DashboardCaller
  | { kind: 'participant'; participant: ClassroomCaller };

/** One call of the API, from its first byte to its last. */
export interface ApiExchange extends Exchange {
  endpoint: EndpointContract | undefined;
  caller: Caller;
  /** Parameters, query and body, once they are validated. */
  input?: EndpointInput<EndpointContract>;
  /** The caller's Idempotency-Key, for an owner who keeps it itself. */
  ownersKey?: { key: string; bodyHash: string };
  /** Where the answer is to be kept, for a request with an Idempotency-Key. */
  replyKey?: string;
  /** Keeps the claim on that place while the request is under way. */
  renewal?: NodeJS.Timeout;
  /** A model's answer is made once for a key, kept or not: another one would be a turn more in the dialogue, and paid for. */
  isAnsweredOnce?: true;
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: ApiExchange;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointContract;
  }
}

export const endpointOf = (request: FastifyRequest): EndpointContract | undefined =>
  request.is404 ? undefined : (request.routeOptions.config as { endpoint?: EndpointContract }).endpoint;

export function begin(request: FastifyRequest, reply: FastifyReply): void {
  const endpoint = endpointOf(request);
  Object.assign(beginExchange(request, reply, endpoint?.path ?? routeOf(request)), { endpoint, caller: { kind: 'none' } });
}
