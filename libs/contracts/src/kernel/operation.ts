import { z } from 'zod';
import { CALLER_FIELDS, classroomCaller, ownersKey, type CallerFields, type EndpointAuth, type Right } from './caller.js';
import type { ErrorCode } from './errors.js';
import { organizationId, roomId } from './values.js';
import {
  COMMON_ERRORS,
  defineEndpoint,
  described,
  envelope,
  errorsOf,
  forEachCaller,
  isEndpoint,
  successful,
  type EndpointContract,
  type EndpointOptions,
  type InClassOptions,
  type OperatorsOptions,
  type RoutesOf,
  type Served,
} from './http.js';
import { defineRpc, replayable, type RpcContract, type RpcOptions } from './rpc.js';

/** An HTTP request after validation, and what the gateway knows about its caller. */
export interface OperationRequest<P = unknown, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  /** The calling organization, identified by its id, an API key or a dashboard token. */
  organization: {
    organizationId: string;
    branding: { logoUrl?: string | null | undefined };
    /** As the organization’s contract declares it. */
    consent?: object | undefined;
    attendance?: object | null | undefined;
    joinHook?: object | null | undefined;
  };
  /** The calling API key and its permissions. Undefined if the call was made with VF-ORG-ID, which has all permissions. */
  apiKey: { keyId: string; scopes: string[]; expiresAt: string | null } | undefined;
}

/**
 * One declaration for an HTTP endpoint and the NATS RPC that implements it. The gateway serves it from a table of operations:
 * authentication, validation, plan, RPC, envelope.
 */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
>
  extends EndpointContract<P, Q, B>, RpcContract<I, O> {
  readonly errors: EndpointContract['errors'];
  /** The service's input, without the fields about the caller and its Idempotency-Key, which the gateway adds. */
  toInput(request: OperationRequest): object;
  /** The `message` of the answer. */
  messageOf(data: unknown, request: OperationRequest): string | undefined;
  /** Whether a controller of the gateway serves it, because the answer is not only what the RPC returns. */
  readonly hasOwnHandler: boolean;
  /** Field of the answer that holds the data; null if the data's fields are at the top level of the answer. */
  readonly dataField: string | null;
}

/** Every error code that a service may reply with. */
export function replyErrorsOf(contract: RpcContract): ReadonlySet<ErrorCode> {
  return new Set([
    ...contract.errors,
    ...COMMON_ERRORS,
    ...(isOperation(contract) ? forEachCaller(contract).flatMap((it) => [...errorsOf(it)]) : []),
  ]);
}

export const isOperation = (it: unknown): it is Operation => isEndpoint(it) && 'subject' in it;

/** The rights of the operation's callers. Each suffices. */
export const rightsOf = ({ auth, scope, dashboardRole, forOperators, inClass, alsoFor }: Operation): ReadonlySet<Right> =>
  new Set([
    auth,
    scope ?? auth,
    ...(dashboardRole ? (['dashboard'] as const) : []),
    ...(forOperators ? (['dispatch'] as const) : []),
    ...(inClass ? (['classroom'] as const) : []),
    ...alsoFor,
  ]);

type Owned<K, Key> = K extends 'owner' ? { idempotency?: Key | undefined } : unknown;
type DerivedInput<A extends EndpointAuth, K, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = z.ZodType<
  CallerFields<A> & Owned<K, z.output<typeof ownersKey>> & z.output<P> & z.output<Q> & z.output<B>,
  CallerFields<A> & Owned<K, z.input<typeof ownersKey>> & z.input<P> & z.input<Q> & z.input<B>
>;
/** The JSON body of a 200. */
type AnswerOf<Field, D> = (Field extends string ? { [F in Field]: D } : D) & {
  success: true;
  message?: string;
  warnings?: { path: string; message: string }[];
};
type DerivedOutput<K, O extends z.ZodType> = K extends 'owner' ? z.ZodType<z.output<O> & { isReplayed?: boolean | undefined }> : O;

interface HttpOptions<
  A extends EndpointAuth,
  K,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  I extends z.ZodType,
  O extends z.ZodType,
> extends Omit<EndpointOptions<z.ZodType, P, Q, B>, 'response' | 'auth' | 'idempotency' | 'operators' | 'inClass'> {
  auth: A;
  /** How operators call it, as far as that differs. `toInput` may do without the organization's id. */
  operators?: OperatorsOptions & { toInput?: (request: OperationRequest<z.output<P>, z.output<Q>>) => Partial<z.input<I>> };
  idempotency?: K & EndpointContract['idempotency'];
  /** The service's input, without what the gateway adds. Default: the fields of `params`, `query` and `body`. */
  toInput?: (request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>) => Partial<z.input<I>>;
  message?: string | ((data: z.output<O>, request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>) => string);
  /** Default: `data`. */
  dataField?: string | null;
}

/**
 * Declares an operation. The RPC's default name is derived from `operationId`. The default `input` consists of the fields of the
 * caller, `params`, `query` and `body`, and for `idempotency: 'owner'` the caller's key. `output` is the answer's `data`.
 */
export function defineOperation<
  const A extends EndpointAuth,
  O extends z.ZodType,
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  const K extends string = 'none',
  I extends z.ZodType = DerivedInput<A, K, P, Q, B>,
  const Route extends string = string,
  const OperatorsPath extends string = never,
  const ClassPath extends string = never,
  const Field extends string | null = 'data',
>(
  options: HttpOptions<A, K, P, Q, B, I, O> &
    Omit<RpcOptions<I, O>, 'input' | 'rpc'> & {
      input?: I;
      rpc?: string;
      hasOwnHandler?: boolean;
      route: Route;
      operators?: OperatorsOptions<OperatorsPath>;
      inClass?: InClassOptions<ClassPath>;
      dataField?: Field;
    },
): Operation<P, Q, B, I, DerivedOutput<K, O>> & Served<RoutesOf<Route, OperatorsPath, ClassPath>, AnswerOf<Field, z.output<O>>> {
  const { operationId, rpc = rpcOf(operationId), hasOwnHandler = false, auth, idempotency, params, query, body, output } = options;
  const isOwned = idempotency === 'owner';
  const key = isOwned ? { idempotency: ownersKey.optional() } : {};
  const input =
    options.input ??
    (z.object({ ...CALLER_FIELDS[auth], ...key, ...fieldsOf(params), ...fieldsOf(query), ...fieldsOf(body) }) as unknown as I);
  const reply = (isOwned ? replayable(output as unknown as z.ZodObject) : output) as DerivedOutput<K, O>;
  const call = defineRpc({ ...options, rpc, input, output: reply });
  const operation = { ...httpOf(options, output), ...call, hasOwnHandler };
  const { forOperators, inClass } = operation;
  const toInput = (options.operators?.toInput ?? operation.toInput) as Operation['toInput'];
  const named = (request: OperationRequest) => ({ ...toInput(request), ...organizationIn(request) });
  return {
    ...operation,
    forOperators: forOperators && ({ ...operation, ...forOperators, ...call, errors: forOperators.errors, toInput: named } as Operation),
    inClass: inClass && ({ ...operation, ...inClass, ...call, errors: inClass.errors } as Operation),
  };
}

/** The input of an operation on a room that its organization's backend calls, or a participant of the class. */
export const byBackendOrInClass = <F extends z.ZodRawShape>(fields: F) =>
  z.union([z.object({ organizationId, roomId, ...fields }), z.object({ caller: classroomCaller, ...fields })]);

const organizationIn = ({ params }: OperationRequest) => {
  const { organizationId } = params as { organizationId: string };
  return { organizationId };
};

/** Default RPC name: `createPoll` becomes `poll.create`. */
function rpcOf(operationId: string): string {
  const [verb = '', ...noun] = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return `${noun.join('-')}.${verb}`;
}

function httpOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, I extends z.ZodType, O extends z.ZodType>(
  options: HttpOptions<EndpointAuth, string, P, Q, B, I, O>,
  data: z.ZodType,
) {
  const { message, toInput = merged, dataField = 'data', ...rest } = options;
  const messageOf = typeof message === 'function' ? message : () => message;
  const response = answerOf(data, dataField);
  const endpoint: EndpointContract<P, Q, B> = defineEndpoint<z.ZodType, P, Q, B, string, string>({
    ...(rest as EndpointOptions<z.ZodType, P, Q, B>),
    response,
  });
  return { ...endpoint, dataField, toInput: toInput as Operation['toInput'], messageOf: messageOf as Operation['messageOf'] };
}

const merged = ({ params, query, body }: OperationRequest) => Object.assign({}, params, query, body) as object;

function answerOf(data: z.ZodType, field: string | null): z.ZodType {
  if (field === 'data') return envelope(data);
  return field === null ? (data as z.ZodObject).extend(successful) : z.object({ ...successful, [field]: described(data) });
}

/**
 * The fields of an object schema, which may have a default.
 * @throws Error if the schema is not an object: the operation has to declare its `input`
 */
function fieldsOf(schema: z.ZodType | undefined): z.ZodRawShape {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap() as z.ZodType);
  throw new Error('an operation whose request is no object declares its input');
}
