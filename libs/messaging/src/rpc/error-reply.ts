import { AppError, replyErrorsOf, type ErrorReply, type RpcContract } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** What a caller gets for a failure: a declared error as it is; anything else is logged once and masked. */
export function toReply(error: unknown, contract: RpcContract): ErrorReply {
  const { subject } = contract;
  if (error instanceof AppError) {
    if (error.kind === 'unavailable') logger.warn({ err: error, subject }, 'a part could not be reached');
    if (error.kind !== 'internal' && isDeclared(error, contract)) return error.toReply();
  }
  logger.error({ err: error, subject }, error instanceof AppError && error.kind !== 'internal' ? 'undeclared error' : 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}

const declared = new WeakMap<RpcContract, ReadonlySet<string>>();

function isDeclared({ code }: AppError, contract: RpcContract): boolean {
  const codes = declared.get(contract) ?? replyErrorsOf(contract);
  declared.set(contract, codes);
  return codes.has(code);
}
