import { MessagePattern } from '@nestjs/microservices';
import { AppError, validationError, type ErrorReply, type RpcContract, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** What goes back over NATS. */
export type RpcReply = { data: unknown } | { error: ErrorReply };

/**
 * Answers a contract: `@RpcHandler(roomRpc.join) join(input: RpcInput<typeof roomRpc.join>) {…}`. The input is parsed
 * (unknown fields stripped, defaults filled); what is thrown becomes a declared error, or is logged and masked.
 */
export function RpcHandler<C extends RpcContract>(contract: C) {
  return (
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<(input: RpcInput<C>) => Promise<RpcOutput<C>>>,
  ): void => {
    const handle = descriptor.value;
    if (!handle) throw new Error(`${key} is not a method`);
    const wrapped = async function (this: unknown, input: unknown): Promise<RpcReply> {
      try {
        const parsed = contract.input.safeParse(input);
        if (!parsed.success) throw validationError(parsed.error);
        return { data: await handle.call(this, parsed.data as RpcInput<C>) };
      } catch (error) {
        return { error: toReply(error, contract.subject) };
      }
    };
    descriptor.value = wrapped as unknown as typeof handle;
    MessagePattern(contract.subject, { mayRunLate: contract.mayRunLate })(target, key, descriptor);
  };
}

function toReply(error: unknown, subject: string): ErrorReply {
  if (error instanceof AppError) {
    if (error.kind === 'unavailable') logger.warn({ err: error, subject }, 'a part could not be reached');
    if (error.kind !== 'internal') return error.toReply();
  }
  logger.error({ err: error, subject }, 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}
