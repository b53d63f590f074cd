import { z } from 'zod';
import { CALLER_FIELDS, ownersKey, type CallerFields, type EndpointAuth } from './caller.js';
import type { ErrorCode } from './errors.js';
import { COMMON_ERRORS, defineEndpoint, envelope, errorsOf, isEndpoint, type EndpointContract, type EndpointOptions } from './http.js';
import { defineRpc, replayable, type RpcContract, type RpcOptions } from './rpc.js';

/** An HTTP request as it was validated, and what the gateway knows of its caller. */
export interface OperationRequest<P = unknown, Q = unknown, B = unknown> {
  params: P;
  query: Q;
  body: B;
  /** The organization that called, by its id, an API key or a dashboard token. */
  organization: { organizationId: string; branding: { logoUrl?: string | null | undefined } };
  /** The rights of the API key that called; undefined where the organization's id did, which may everything. */
  apiKey: { scopes: string[]; expiresAt: string | null } | undefined;
}

/**
 * What a caller does over HTTP and a service does over NATS: an endpoint and an RPC of one declaration. The gateway serves it from its
 * table: authentication, validation, plan, RPC, envelope.
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
  /** The service's input but for the fields of the caller and its Idempotency-Key, which the gateway adds. */
  toInput(request: OperationRequest): object;
  /** The answer's message. */
  messageOf(data: unknown, request: OperationRequest): string | undefined;
  /** The answer's data. */
  readonly data: z.ZodType;
  /** The answer's field for the data; null where its fields stand in the answer itself. */
  readonly dataField: string | null;
}

/** Every code that a service may answer. */
export function replyErrorsOf(contract: RpcContract): ReadonlySet<ErrorCode> {
  return new Set([...contract.errors, ...COMMON_ERRORS, ...(isOperation(contract) ? errorsOf(contract) : [])]);
}

export const isOperation = (it: unknown): it is Operation => isEndpoint(it) && 'subject' in it;

type Owned<K, Key> = K extends 'owner' ? { idempotency?: Key | undefined } : unknown;
type DerivedInput<A extends EndpointAuth, K, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = z.ZodType<
  CallerFields<A> & Owned<K, z.output<typeof ownersKey>> & z.output<P> & z.output<Q> & z.output<B>,
  CallerFields<A> & Owned<K, z.input<typeof ownersKey>> & z.input<P> & z.input<Q> & z.input<B>
>;
type DerivedOutput<K, O extends z.ZodType> = K extends 'owner' ? z.ZodType<z.output<O> & { isReplayed?: boolean | undefined }> : O;

interface HttpOptions<
  A extends EndpointAuth,
  K,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  I extends z.ZodType,
  O extends z.ZodType,
> extends Omit<EndpointOptions<z.ZodType, P, Q, B>, 'response' | 'auth' | 'idempotency'> {
  auth: A;
  idempotency?: K & EndpointContract['idempotency'];
  /** The service's input but for what the gateway adds; by default the fields of `params`, `query` and `body`. */
  toInput?: (request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>) => Partial<z.input<I>>;
  message?: string | ((data: z.output<O>, request: OperationRequest<z.output<P>, z.output<Q>, z.output<B>>) => string);
  /** `data` unless given. */
  dataField?: string | null;
}

/**
 * Declares an operation. Its RPC is named after it and takes `input`: unless given, the fields of the caller, of `params`, `query` and `body`, and for
 * `idempotency: 'owner'` the caller's key. `output` is the answer's `data`.
 */
export function defineOperation<
  const A extends EndpointAuth,
  O extends z.ZodType,
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  const K extends string = 'none',
  I extends z.ZodType = DerivedInput<A, K, P, Q, B>,
>(
  options: HttpOptions<A, K, P, Q, B, I, O> & Omit<RpcOptions<I, O>, 'input' | 'rpc'> & { input?: I; rpc?: string },
): Operation<P, Q, B, I, DerivedOutput<K, O>> {
  const { operationId, rpc = rpcOf(operationId), auth, idempotency, params, query, body, output } = options;
  const isOwned = idempotency === 'owner';
  const key = isOwned ? { idempotency: ownersKey.optional() } : {};
  const input =
    options.input ??
    (z.object({ ...CALLER_FIELDS[auth], ...key, ...fieldsOf(params), ...fieldsOf(query), ...fieldsOf(body) }) as unknown as I);
  const reply = (isOwned ? replayable(output as unknown as z.ZodObject) : output) as DerivedOutput<K, O>;
  return { ...httpOf(options, output), ...defineRpc({ ...options, rpc, input, output: reply }) };
}

/** `createPoll` is `poll.create`, unless the declaration says something else. */
function rpcOf(operationId: string): string {
  const [verb = '', ...noun] = operationId.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return `${noun.join('-')}.${verb}`;
}

/** The same RPC for other callers, under an address of its own. */
export function defineAlias<
  const A extends EndpointAuth,
  I extends z.ZodType,
  O extends z.ZodType,
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  const K extends string = 'none',
>(of: Operation<z.ZodType, z.ZodType, z.ZodType, I, O>, options: HttpOptions<A, K, P, Q, B, I, O>): Operation<P, Q, B, I, O> {
  const { service, subject, input, output, timeoutMs, mayRunLate, waitsForResponder } = of;
  const errors = [...new Set([...of.errors, ...(options.errors ?? [])])];
  return { service, subject, input, output, timeoutMs, mayRunLate, waitsForResponder, ...httpOf({ ...options, errors }, of.data) };
}

function httpOf<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, I extends z.ZodType, O extends z.ZodType>(
  options: HttpOptions<EndpointAuth, string, P, Q, B, I, O>,
  data: z.ZodType,
) {
  const { message, toInput = merged, dataField = 'data', ...rest } = options;
  const messageOf = typeof message === 'function' ? message : () => message;
  const endpoint = defineEndpoint<z.ZodType, P, Q, B>({ ...rest, response: answerOf(data, dataField) } as EndpointOptions<
    z.ZodType,
    P,
    Q,
    B
  >);
  return { ...endpoint, data, dataField, toInput: toInput as Operation['toInput'], messageOf: messageOf as Operation['messageOf'] };
}

const merged = ({ params, query, body }: OperationRequest) => Object.assign({}, params, query, body) as object;

function answerOf(data: z.ZodType, field: string | null): z.ZodType {
  if (field === 'data') return envelope(data);
  return field === null
    ? (data as z.ZodObject).extend({ success: z.literal(true) })
    : z.object({ success: z.literal(true), [field]: data });
}

/** The fields of an object that may have a default. @throws where it is no object: the operation needs an `input` of its own */
function fieldsOf(schema: z.ZodType | undefined): z.ZodRawShape {
  if (schema === undefined) return {};
  if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap() as z.ZodType);
  throw new Error('an operation whose request is no object declares its input');
}
