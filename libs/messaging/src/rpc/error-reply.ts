import { AppError, replyErrorsOf, type ErrorReply, type RpcContract } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** The reply for a failure: a declared error is returned unchanged; any other is logged once and answered as INTERNAL_ERROR. */
export function toReply(error: unknown, contract: RpcContract): ErrorReply {
  const { subject } = contract;
  if (error instanceof AppError) {
    if (error.kind === 'unavailable') logger.warn({ err: error, subject }, 'dependency unreachable');
    if (error.kind !== 'internal' && replyErrorsOf(contract).has(error.code)) return error.toReply();
  }
  logger.error({ err: error, subject }, error instanceof AppError && error.kind !== 'internal' ? 'undeclared error' : 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}
