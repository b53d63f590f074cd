import { z } from 'zod';
import type { ErrorCode } from './errors.js';

/** The deployables that answer RPC. */
export type ServiceName = 'organization' | 'room' | 'recording' | 'recorder' | 'billing' | 'ai' | 'media';

export interface RpcContract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly service: ServiceName;
  readonly subject: string;
  readonly input: I;
  readonly output: O;
  readonly errors: readonly ErrorCode[];
  /** Milliseconds until the caller gives up; the callee's own budgets stay below it. */
  readonly timeoutMs: number;
  /** False where an effect after the caller gave up does harm: such a request has no effect from its deadline on, to the millisecond. */
  readonly mayRunLate: boolean;
  /** Whether the call waits, within its timeout, for a service that restarts. False where no responder is an answer in itself. */
  readonly waitsForResponder: boolean;
}

export type RpcInput<C extends RpcContract> = z.infer<C['input']>;
/** Before defaults and transforms: what a caller writes. */
export type RpcRequest<C extends RpcContract> = z.input<C['input']>;
export type RpcOutput<C extends RpcContract> = z.infer<C['output']>;

/** What an owner answers who keeps the caller's key: also whether it had answered that key before. */
export const replayable = <S extends z.ZodRawShape>(output: z.ZodObject<S>) => output.extend({ isReplayed: z.boolean().optional() });

export interface RpcOptions<I extends z.ZodType, O extends z.ZodType> {
  service: ServiceName;
  /** `<noun>.<verb>`, or with a version other than the first `<noun>.<verb>.v<n>`. */
  rpc: string;
  input: I;
  output: O;
  errors?: readonly ErrorCode[];
  timeoutMs?: number;
  mayRunLate?: boolean;
  waitsForResponder?: boolean;
}

/** Subject `rpc.<service>.<noun>.<verb>.v<version>`; the queue group is the service's name. */
export function defineRpc<I extends z.ZodType, O extends z.ZodType>(options: RpcOptions<I, O>): RpcContract<I, O> {
  const { service, rpc, input, output, errors = [], timeoutMs = 5_000, mayRunLate = true, waitsForResponder = true } = options;
  const subject = `rpc.${service}.${rpc}${/\.v\d+$/.test(rpc) ? '' : '.v1'}`;
  return { service, subject, input, output, errors, timeoutMs, mayRunLate, waitsForResponder };
}
