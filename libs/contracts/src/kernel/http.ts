import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { scopeOf, type Scope } from './scopes.js';

/**
 * Who may call an endpoint, and by what: `organization` the VF-ORG-ID header or an API key, `dispatch` the operator's secret,
 * `participant` a join or classroom token, `classroom` a classroom token, `dashboard` a dashboard token, `livekit` the
 * webhook's signature.
 */
export type EndpointAuth = 'none' | 'organization' | 'dispatch' | 'participant' | 'classroom' | 'dashboard' | 'livekit';

export interface EndpointContract<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly operationId: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly auth: EndpointAuth;
  /** What an API key needs to call it. */
  readonly scope: Scope | undefined;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The whole body of a 200, where it is JSON. */
  readonly response: R;
  /** Further statuses with the body of a 200, and what each of them says. */
  readonly otherStatuses: Readonly<Record<number, string>>;
  /** Media types of a 200: the first is the rule. */
  readonly produces: readonly string[];
  readonly errors: readonly ErrorCode[];
  /** What a well-formed VF-ORG-ID of nobody is answered with. */
  readonly unknownOrganization: 'UNAUTHORIZED' | 'ORGANIZATION_NOT_FOUND';
  /** 422 where the organization has no billing plan. */
  readonly requiresPlan: boolean;
  /**
   * Who keeps the answer of a repeated Idempotency-Key: the gateway, the service in its own transaction, or neither, which ignores the
   * header. By default the gateway does for a backend and an operator alone: people in a class and strangers would fill its memory.
   */
  readonly idempotency: 'gateway' | 'owner' | 'none';
  /** Largest body in bytes. */
  readonly bodyLimit: number;
}

export type EndpointInput<E extends EndpointContract> = {
  params: z.infer<E['params']>;
  query: z.infer<E['query']>;
  body: z.infer<E['body']>;
};

/** `{success, message?, data}`: the envelope nearly every answer has. */
export const envelope = <D extends z.ZodType>(data: D) =>
  z.object({ success: z.literal(true), message: z.string().optional(), data });

export const errorBody = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  requestId: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

const nothing = z.unknown();
export const KIB = 1024;
export const JSON_BODY_LIMIT = KIB * KIB;

const KEPT_FOR: ReadonlySet<EndpointAuth> = new Set(['organization', 'dispatch', 'dashboard']);

export function defineEndpoint<
  R extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(options: {
  operationId: string;
  summary: string;
  method: EndpointContract['method'];
  path: string;
  auth: EndpointAuth;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
  otherStatuses?: EndpointContract['otherStatuses'];
  produces?: readonly string[];
  errors?: readonly ErrorCode[];
  unknownOrganization?: EndpointContract['unknownOrganization'];
  requiresPlan?: boolean;
  idempotency?: EndpointContract['idempotency'];
  bodyLimit?: number;
}): EndpointContract<P, Q, B, R> {
  return {
    unknownOrganization: 'UNAUTHORIZED',
    requiresPlan: false,
    idempotency: KEPT_FOR.has(options.auth) ? 'gateway' : 'none',
    bodyLimit: JSON_BODY_LIMIT,
    otherStatuses: {},
    produces: ['application/json'],
    errors: [],
    scope: options.auth === 'organization' ? scopeOf(options) : undefined,
    ...options,
    params: options.params ?? (nothing as unknown as P),
    query: options.query ?? (nothing as unknown as Q),
    body: options.body ?? (nothing as unknown as B),
  };
}
