import { z } from 'zod';
import type { Right } from './caller.js';
import type { ErrorCode } from './errors.js';
import { unboundedList } from './values.js';

/** The services that answer RPC. */
export type ServiceName = 'organization' | 'room' | 'recording' | 'recorder' | 'billing' | 'ai' | 'media';
/** Everything that connects to NATS with an identity of its own. */
export type AppName = ServiceName | 'gateway';

export interface RpcContract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  /** The app that answers it. */
  readonly service: AppName;
  readonly subject: string;
  /** The apps that NATS lets call it. */
  readonly callers: readonly AppName[];
  /** Rights of the callers of other endpoints that the gateway answers with this RPC. */
  readonly alsoFor: readonly Right[];
  /** Whether every call is made for a caller whom the gateway has authenticated. Undefined: if the gateway alone calls it. */
  readonly needsCaller: boolean | undefined;
  readonly input: I;
  readonly output: O;
  readonly errors: readonly ErrorCode[];
  /** Milliseconds until the caller gives up. The service's own time limits are shorter. */
  readonly timeoutMs: number;
  /** False if an effect after the caller gave up would do harm: such a request has no effect after its deadline, to the millisecond. */
  readonly mayRunLate: boolean;
  /** Whether the call waits, within its timeout, for a service that restarts. False if "no responder" is an answer in itself. */
  readonly waitsForResponder: boolean;
}

export type RpcInput<C extends RpcContract> = z.infer<C['input']>;
/** The input before defaults and transforms, as the caller writes it. */
export type RpcRequest<C extends RpcContract> = z.input<C['input']>;
export type RpcOutput<C extends RpcContract> = z.infer<C['output']>;

/** The answer of a service that stores the caller's key: also says whether it is a repeat of an earlier answer. */
export const replayable = <S extends z.ZodRawShape>(output: z.ZodObject<S>) => output.extend({ isReplayed: z.boolean().optional() });

export interface RpcOptions<I extends z.ZodType, O extends z.ZodType> {
  service: AppName;
  /** `<noun>.<verb>`; with a version other than 1 `<noun>.<verb>.v<n>`. */
  rpc: string;
  /** Default: the gateway alone. */
  callers?: readonly AppName[];
  /** Rights of the callers of other endpoints, such as aliases, that the gateway answers with this RPC. Default: none. */
  alsoFor?: readonly Right[];
  /** True if other apps call it only to answer a request, and never in background work. */
  needsCaller?: boolean;
  input: I;
  output: O;
  errors?: readonly ErrorCode[];
  timeoutMs?: number;
  mayRunLate?: boolean;
  waitsForResponder?: boolean;
}

/**
 * Declares an RPC with the subject `rpc.<service>.<noun>.<verb>.v<version>`. The queue group is the service's name.
 * @throws Error if the output has a list that is neither bounded nor a page: its reply could be too large for a message
 */
export function defineRpc<I extends z.ZodType, O extends z.ZodType>(options: RpcOptions<I, O>): RpcContract<I, O> {
  const {
    service,
    rpc,
    callers = ['gateway'],
    alsoFor = [],
    needsCaller,
    input,
    output,
    errors = [],
    timeoutMs = 5_000,
    mayRunLate = true,
    waitsForResponder = true,
  } = options;
  const subject = `rpc.${service}.${rpc}${/\.v\d+$/.test(rpc) ? '' : '.v1'}`;
  const list = unboundedList(output);
  if (list !== undefined)
    throw new Error(
      `${subject}: ${list} has no bound: add .max(n), or declare it with pageOf(…) if its handler ends it with fitMessage(…)`,
    );
  return { service, subject, callers, alsoFor, needsCaller, input, output, errors, timeoutMs, mayRunLate, waitsForResponder };
}

/** How an RPC opens a text stream: the reader sends its inbox and gets back a control subject (see messaging's protocol). */
export const streamOpening = z.object({ inbox: z.string().regex(/^_INBOX\.[A-Za-z0-9]+$/) });
/** The same for a stream that a service reads, not the gateway: where no other app may listen. */
export const serviceStreamOpening = z.object({ inbox: z.string().regex(/^_STREAM\.[a-z]+\.[A-Za-z0-9]+$/) });
export const streamStarted = z.object({ control: z.string() });
