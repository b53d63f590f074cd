import { z } from 'zod';
import { defaultAuditMode, type AuditMode } from './audit.js';
import type { ErrorCode } from './errors.js';
import type { DashboardRole, EndpointAuth, Scope } from './caller.js';
import { organizationId } from './values.js';
import { NAMES, ORGANIZATION } from './reference.js';
import type { Tag } from './tags.js';

export interface EndpointContract<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  readonly operationId: string;
  /** Title in the API reference: two to four words in the imperative. */
  readonly summary: string;
  /** What the call does, in plain sentences. */
  readonly description: string;
  /** Chapter of the API reference. */
  readonly tag: Tag;
  /**
   * Method name in `@virtual-classroom/sdk`, such as `rooms.participants.list`: of `VirtualClassroom` for endpoints that a backend calls,
   * of `AdminClient` for those of operators.
   */
  readonly sdk: string | undefined;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly auth: EndpointAuth;
  /** Scope that an API key needs to call the endpoint. */
  readonly scope: Scope | undefined;
  /**
   * Role with which a dashboard's user may call it with their token: `MEMBER` lets both roles. Undefined: none may. An API key that issued the
   * token of an OWNER needs `scope` for what members may not do: a key gives no one a right that it lacks.
   */
  readonly dashboardRole: DashboardRole | undefined;
  /** The same for operators, who name the organization in the path. */
  readonly forOperators: EndpointContract | undefined;
  /** The same for a participant of the class, whose token names the room. */
  readonly inClass: EndpointContract | undefined;
  /**
   * What the gateway asks `room` about the participant before the call, for a service that knows no participants: a permission, or `beInClass` for what
   * every participant may do.
   */
  readonly permission: 'startRecording' | 'stopRecording' | 'manageParticipants' | 'beInClass' | undefined;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Body of a 200 answer, if it is JSON. */
  readonly response: R;
  /** Other statuses that have the same body as a 200, with the meaning of each. */
  readonly otherStatuses: Readonly<Record<number, string>>;
  /** Media types of a 200 answer; the first is the default. */
  readonly produces: readonly string[];
  /** Error codes of this endpoint, in addition to those of its authentication, validation, plan and limits: see `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  /** Error code for a well-formed VF-ORG-ID that belongs to no organization. */
  readonly unknownOrganization: 'UNAUTHORIZED' | 'ORGANIZATION_NOT_FOUND';
  /** Whether an organization whose erasure was requested may call the endpoint, also when the erasure has begun. Until then it may also read. */
  readonly isForClosed: boolean;
  /** The endpoint answers 422 if the organization has no billing plan. */
  readonly requiresPlan: boolean;
  /**
   * Who stores the answer to an Idempotency-Key: `gateway`, `owner` (the service, in its own transaction) or `none` (the header
   * is ignored). The default is `gateway` for the auth kinds `organization`, `dispatch` and `dashboard`, and `none` for all
   * others: participants and anonymous callers could fill the gateway's memory.
   */
  readonly idempotency: 'gateway' | 'owner' | 'none';
  /**
   * Whether a call gets an entry in the audit log. The default is `required` for what is not a GET of operators and dashboards, or with the scope
   * `keys:manage`, `dashboard:issue`, `privacy:manage` or `webhooks:manage`, and `none` for all others.
   */
  readonly audit: AuditMode;
  /** Whether the audit log keeps no ids from the body, because they must not outlive the call. */
  readonly withholdsTarget: boolean;
  /** Limits `audit` to the calls for which it returns true. Default: every call. */
  readonly auditIf: ((input: { query: unknown }) => boolean) | undefined;
  /** Maximum body size in bytes. */
  readonly bodyLimit: number;
  /** Example call for the API reference. */
  readonly example: Example | undefined;
  /** Ids for the paths of later calls, as OpenAPI runtime expressions: `{ roomId: '$response.body#/data/room/roomId' }`. */
  readonly links: Readonly<Record<string, string>> | undefined;
}

/** `test/system/reference.spec.ts` makes each example call and checks its answer. */
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

const problem = z
  .object({
    path: z.string().describe('Path of the field, with dots: `participant.uid`.'),
    message: z.string().describe('What is wrong with the field.'),
  })
  .register(NAMES, { id: 'Problem', description: 'A field of a request, and what is wrong with it.' });

/** What every successful answer has: its mark, and what was ignored in the request. */
export const successful = {
  success: z.literal(true).describe('Always `true`.'),
  warnings: z.array(problem).max(40).optional().describe('Fields and query parameters of the request that are unknown and were ignored.'),
};

/** The result of a call, unless its schema has a description or a name of its own. */
export const described = <D extends z.ZodType>(data: D): D =>
  data.description === undefined && !NAMES.has(data) ? data.describe('The result.') : data;

/** `{success, message?, data}`: the envelope of nearly every answer. */
export const envelope = <D extends z.ZodType>(data: D) =>
  z.object({
    ...successful,
    message: z.string().optional().describe('A short sentence for logs. Do not parse it.'),
    data: described(data),
  });

export const errorBody = z
  .object({
    success: z.literal(false).describe('Always `false`.'),
    message: z.string().describe('What is wrong, for people. The text may change: branch on `error`.'),
    error: z.string().describe('The error code. It does not change.'),
    requestId: z.string().describe('Id of the request, as in the `X-Request-Id` header. State it when you contact support.'),
    details: z.array(problem).optional().describe('The invalid fields of a `VALIDATION_FAILED`; other codes may add what they know.'),
  })
  .register(NAMES, { id: 'Error', description: 'Body of every failed call.' });

const nothing = z.unknown();
export const KIB = 1024;
export const JSON_BODY_LIMIT = KIB * KIB;

const KEPT_FOR: ReadonlySet<EndpointAuth> = new Set(['organization', 'dispatch', 'dashboard']);

/** How operators call an endpoint of organizations, as far as it differs. */
export interface OperatorsOptions<OperatorsPath extends string = string>
  extends Pick<EndpointContract, 'summary' | 'tag'>, Partial<Pick<EndpointContract, 'description' | 'sdk' | 'example' | 'body'>> {
  /** Below `/v1/admin/organizations/:organizationId`. */
  path: OperatorsPath & `/${string}`;
}

/** How a participant calls an endpoint of a room that the organization's backend also calls, as far as it differs. */
export interface InClassOptions<ClassPath extends string = string>
  extends
    Pick<EndpointContract, 'summary' | 'description' | 'tag'>,
    Partial<Pick<EndpointContract, 'audit' | 'errors' | 'example' | 'permission'>> {
  /** Below `/v1/classroom`. */
  path: ClassPath & `/${string}`;
}

/**
 * Where an endpoint is served, for the types of callers that name it by method and path: `Route` is a union such as
 * `GET /v1/rooms | GET /v1/dashboard/rooms`, `Answer` the JSON body of a 200. No value has this field.
 */
export interface Served<Route extends string, Answer> {
  readonly served?: { route: Route; answer: Answer };
}

/** The routes of an endpoint: its own, that of operators, and that of participants. */
export type RoutesOf<
  Route extends string,
  OperatorsPath extends string,
  ClassPath extends string = never,
> = Route extends `${infer M} /${string}`
  ? Route | `${M} /v1/admin/organizations/:organizationId${OperatorsPath}` | `${M} /v1/classroom${ClassPath}`
  : never;

export interface EndpointOptions<R extends z.ZodType, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>
  extends
    Pick<EndpointContract, 'operationId' | 'summary' | 'description' | 'tag'>,
    Partial<
      Omit<
        EndpointContract,
        | 'operationId'
        | 'summary'
        | 'description'
        | 'tag'
        | 'method'
        | 'path'
        | 'auth'
        | 'params'
        | 'query'
        | 'body'
        | 'response'
        | 'forOperators'
        | 'inClass'
        | 'permission'
      >
    > {
  operators?: OperatorsOptions;
  inClass?: InClassOptions;
  route: `${EndpointContract['method']} /${string}`;
  auth: EndpointAuth;
  params?: P;
  query?: Q;
  body?: B;
  response: R;
}

/**
 * Declares an endpoint that the gateway answers with its own handler.
 * @throws Error if an organization's endpoint has no scope (no API key could call it), or another endpoint has one
 */
export function defineEndpoint<
  R extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
  const Route extends string = string,
  const OperatorsPath extends string = never,
>({
  route,
  operators,
  inClass,
  ...options
}: EndpointOptions<R, P, Q, B> & { route: Route; operators?: OperatorsOptions<OperatorsPath> }): EndpointContract<P, Q, B, R> &
  Served<RoutesOf<Route, OperatorsPath>, z.output<R>> {
  const [method, path] = route.split(' ') as [EndpointContract['method'], string];
  if ((options.auth === 'organization') !== (options.scope !== undefined))
    throw new Error(`${options.operationId}: a scope is for what an organization calls`);
  const endpoint: EndpointContract<P, Q, B, R> = {
    unknownOrganization: 'UNAUTHORIZED',
    isForClosed: false,
    dashboardRole: options.auth === 'dashboard' ? 'MEMBER' : undefined,
    forOperators: undefined,
    inClass: undefined,
    permission: undefined,
    requiresPlan: false,
    idempotency: KEPT_FOR.has(options.auth) ? 'gateway' : 'none',
    audit: defaultAuditMode(method, options.auth, options.scope),
    withholdsTarget: false,
    auditIf: undefined,
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
  return {
    ...endpoint,
    forOperators: operators && forOperators(endpoint, operators),
    inClass: inClass && inClassOf(endpoint, inClass),
  };
}

const named = z.object({ organizationId: organizationId.describe('Id of the organization.') });

function forOperators(endpoint: EndpointContract, { path, ...own }: OperatorsOptions): EndpointContract {
  const { operationId, method, errors, params, audit, example } = endpoint;
  return {
    ...endpoint,
    sdk: undefined,
    links: undefined,
    ...own,
    operationId: `${operationId}ForOrganization`,
    auth: 'dispatch',
    scope: undefined,
    dashboardRole: undefined,
    isForClosed: false,
    requiresPlan: false,
    audit: audit === 'none' ? defaultAuditMode(method, 'dispatch', undefined) : audit,
    path: `/v1/admin/organizations/:organizationId${path}`,
    params: params instanceof z.ZodObject ? named.extend(params.shape) : named,
    errors: [...new Set([...errors, 'ORGANIZATION_NOT_FOUND' as const])],
    example: own.example ?? (example && { ...example, params: { ...ORGANIZATION, ...example.params } }),
  };
}

/** A token of the class names its room, may lack a permission, and is refused after the class. */
function inClassOf(endpoint: EndpointContract, { path, ...own }: InClassOptions): EndpointContract {
  const { operationId, errors, params, example } = endpoint;
  const rest = params instanceof z.ZodObject ? params.omit({ roomId: true }) : nothing;
  const { roomId: _, ...named } = example?.params ?? {};
  return {
    ...endpoint,
    sdk: undefined,
    links: undefined,
    errors: [...new Set([...errors.filter((code) => code !== 'ROOM_NOT_FOUND'), 'FORBIDDEN' as const, 'ROOM_ENDED' as const])],
    example: example && { ...example, params: named },
    ...own,
    operationId: `${operationId}InClass`,
    auth: 'classroom',
    scope: undefined,
    dashboardRole: undefined,
    isForClosed: false,
    requiresPlan: false,
    idempotency: 'none',
    path: `/v1/classroom${path}`,
    params: rest instanceof z.ZodObject && Object.keys(rest.shape).length > 0 ? rest : nothing,
  };
}

const WITH_BODY: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** Additional error codes of an endpoint that accepts an Idempotency-Key. */
const WITH_KEY: readonly ErrorCode[] = ['IDEMPOTENCY_CONFLICT'];
/** Error codes of any endpoint and any RPC. A request without parameters and body can still be malformed HTTP. */
export const COMMON_ERRORS: readonly ErrorCode[] = ['VALIDATION_FAILED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** Whether a value is an endpoint declaration. */
export const isEndpoint = (it: unknown): it is EndpointContract => typeof it === 'object' && it !== null && 'operationId' in it;

/** An endpoint for each kind of its callers that has a path of its own. */
export const forEachCaller = (endpoint: EndpointContract): EndpointContract[] =>
  [endpoint, endpoint.forOperators, endpoint.inClass].filter((it) => it !== undefined);

/** Every endpoint that is declared among these values, for each kind of its callers. */
export const endpointsAmong = (values: readonly unknown[]): EndpointContract[] => values.filter(isEndpoint).flatMap(forEachCaller);

/** Whether an Idempotency-Key makes the call safe to repeat. */
export const isRepeatable = ({ method, idempotency }: EndpointContract) => method === 'POST' && idempotency !== 'none';
/** Whether the answer is a stream without an end, which a client continues with `Last-Event-ID`. */
export const isResumable = ({ method, produces }: EndpointContract) => method === 'GET' && produces.includes('text/event-stream');
/** Whether the endpoint reads a request body. */
export const takesBody = ({ method, auth, body }: EndpointContract) =>
  method !== 'GET' && method !== 'DELETE' && auth !== 'livekit' && body !== nothing;

/** Every error code that an endpoint may answer. */
export function errorsOf(endpoint: EndpointContract): ReadonlySet<ErrorCode> {
  const { auth, errors, dashboardRole, requiresPlan, unknownOrganization } = endpoint;
  return new Set<ErrorCode>([
    ...errors,
    ...COMMON_ERRORS,
    ...(takesBody(endpoint) ? WITH_BODY : []),
    ...(isRepeatable(endpoint) ? WITH_KEY : []),
    ...(requiresPlan ? (['ORGANIZATION_SETUP_INCOMPLETE'] as const) : []),
    ...(auth === 'none' ? [] : (['UNAUTHORIZED'] as const)),
    ...(auth === 'livekit' ? [] : (['RATE_LIMITED'] as const)),
    // FORBIDDEN: an API key without the scope. `unknownOrganization`: no such organization.
    ...(auth === 'organization' ? (['FORBIDDEN', unknownOrganization] as const) : []),
    ...(dashboardRole === 'OWNER' ? (['FORBIDDEN'] as const) : []),
    // An operator who may only read.
    ...(auth === 'dispatch' && endpoint.method !== 'GET' ? (['FORBIDDEN'] as const) : []),
  ]);
}

/** The audit mode of one call. */
export const auditModeOf = ({ audit, auditIf }: EndpointContract, input: EndpointInput<EndpointContract>): AuditMode =>
  auditIf?.(input) === false ? 'none' : audit;
