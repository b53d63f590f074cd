import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import type { EndpointAuth } from './caller.js';
import type { Scope } from './scopes.js';
import type { Tag } from './tags.js';

export interface EndpointContract<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly operationId: string;
  readonly summary: string;
  /** The chapter of the reference. */
  readonly tag: Tag;
  /** Its method in `@virtual-classroom/sdk`: `rooms.participants.list`. For what a backend calls. */
  readonly sdk: string | undefined;
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
  /** What it may answer besides what its authentication, validation, plan and limits may: see `errorsOf`. */
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
  /** A call as the reference shows it. */
  readonly example: Example | undefined;
  /** Ids for the paths of later calls, by OpenAPI's runtime expressions: `{ roomId: '$response.body#/data/room/roomId' }`. */
  readonly links: Readonly<Record<string, string>> | undefined;
}

/** Each is made, and its answer looked at, by `test/system/reference.spec.ts`. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
}

export type EndpointInput<E extends EndpointContract> = {
  params: z.infer<E['params']>;
  query: z.infer<E['query']>;
  body: z.infer<E['body']>;
};

/** `{success, message?, data}`: the envelope nearly every answer has. */
export const envelope = <D extends z.ZodType>(data: D) => z.object({ success: z.literal(true), message: z.string().optional(), data });

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

export interface EndpointOptions<R extends z.ZodType, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends
    Pick<EndpointContract, 'operationId' | 'summary' | 'tag'>,
    Partial<
      Omit<EndpointContract, 'operationId' | 'summary' | 'tag' | 'method' | 'path' | 'auth' | 'params' | 'query' | 'body' | 'response'>
    > {
  route: `${EndpointContract['method']} /${string}`;
  auth: EndpointAuth;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
}

/** An endpoint that the gateway answers by a handler of its own. @throws where an organization's endpoint has no scope, which no API key could call */
export function defineEndpoint<
  R extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>({ route, ...options }: EndpointOptions<R, P, Q, B>): EndpointContract<P, Q, B, R> {
  const [method, path] = route.split(' ') as [EndpointContract['method'], string];
  if ((options.auth === 'organization') !== (options.scope !== undefined))
    throw new Error(`${options.operationId}: a scope is for what an organization calls`);
  return {
    unknownOrganization: 'UNAUTHORIZED',
    requiresPlan: false,
    idempotency: KEPT_FOR.has(options.auth) ? 'gateway' : 'none',
    bodyLimit: JSON_BODY_LIMIT,
    otherStatuses: {},
    produces: ['application/json'],
    errors: [],
    scope: undefined,
    sdk: undefined,
    example: undefined,
    links: undefined,
    ...options,
    method,
    path,
    params: options.params ?? (nothing as unknown as P),
    query: options.query ?? (nothing as unknown as Q),
    body: options.body ?? (nothing as unknown as B),
  };
}

const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** What an Idempotency-Key may be answered. */
const WITH_KEY: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT'];
/** What any endpoint and any RPC may answer; a request that takes nothing may still be malformed HTTP. */
export const COMMON_ERRORS: readonly ErrorCode[] = ['VALIDATION_FAILED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** Whether a value is an endpoint's declaration. */
export const isEndpoint = (it: unknown): it is EndpointContract => typeof it === 'object' && it !== null && 'operationId' in it;

/** Whether an Idempotency-Key makes it safe to repeat. */
export const isRepeatable = ({ method, idempotency }: EndpointContract) => method === 'POST' && idempotency !== 'none';
/** Whether it takes a body. */
export const takesBody = ({ method, auth, body }: EndpointContract) =>
  method !== 'GET' && method !== 'DELETE' && auth !== 'livekit' && body !== nothing;

/** Every code that an endpoint may answer. */
export function errorsOf(endpoint: EndpointContract): ReadonlySet<ErrorCode> {
  const { auth, errors, requiresPlan, unknownOrganization } = endpoint;
  return new Set<ErrorCode>([
    ...errors,
    ...COMMON_ERRORS,
    ...(takesBody(endpoint) ? WITH_BODY : []),
    ...(isRepeatable(endpoint) ? WITH_KEY : []),
    ...(requiresPlan ? (['ORGANIZATION_SETUP_INCOMPLETE'] as const) : []),
    ...(auth === 'none' ? [] : (['UNAUTHORIZED'] as const)),
    ...(auth === 'livekit' ? [] : (['RATE_LIMITED'] as const)),
    // An API key without the scope; an organization that the call's contract says is not found.
    ...(auth === 'organization' ? (['FORBIDDEN', unknownOrganization] as const) : []),
  ]);
}
