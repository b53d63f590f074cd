import { AppError, replyErrorsOf, type ErrorReply, type RpcContract } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** What a caller gets for a failure: a declared error as it is; anything else is logged once and masked. */
export function toReply(error: unknown, contract: RpcContract): ErrorReply {
  const { subject } = contract;
  if (error instanceof AppError) {
    if (error.kind === 'unavailable') logger.warn({ err: error, subject }, 'a part could not be reached');
    if (error.kind !== 'internal' && replyErrorsOf(contract).has(error.code)) return error.toReply();
  }
  logger.error({ err: error, subject }, error instanceof AppError && error.kind !== 'internal' ? 'undeclared error' : 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}
