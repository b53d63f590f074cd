import type { Context, Span } from '@opentelemetry/api';
import type { ClassroomCaller, DashboardRole, EndpointContract, Organization } from '@classroom/contracts';
import type { FastifyRequest } from 'fastify';

/** What an API key may do, and until when. */
export interface ApiKeyRights {
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

/** What belongs to one request from its first byte to its last. */
export interface Exchange {
  requestId: string;
  startedAt: number;
  endpoint: EndpointContract | undefined;
  span: Span;
  context: Context;
  caller: Caller;
  /** Where the answer is to be kept, for a request with an Idempotency-Key. */
  replyKey?: string;
  /** Keeps the claim on that place while the request is under way. */
  renewal?: NodeJS.Timeout;
  /** A model's answer is made once for a key, kept or not: another one would be a turn more in the dialogue, and paid for. */
  isAnsweredOnce?: true;
  isEnded?: true;
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
  interface FastifyContextConfig {
    endpoint?: EndpointContract;
  }
}

export const endpointOf = (request: FastifyRequest): EndpointContract | undefined =>
  request.is404 ? undefined : (request.routeOptions.config as { endpoint?: EndpointContract }).endpoint;
