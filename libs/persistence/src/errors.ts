import { AppError, isUnavailable } from '@classroom/contracts';

interface PgError extends Error {
  code?: string;
  constraint?: string;
  driverError?: { code?: string; constraint?: string };
}

const codeOf = (error: unknown) => (error as PgError).driverError?.code ?? (error as PgError).code;

/** Whether a unique index rejected the row. `constraint` is the name of the index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { driverError, constraint: own } = error as PgError;
  return codeOf(error) === '23505' && (driverError?.constraint ?? own) === constraint;
}

/** A deadlock or a serialization failure: the transaction had no effect and can be run again. */
export const isRetryable = (error: unknown) => codeOf(error) === '40P01' || codeOf(error) === '40001';

const UNREACHABLE_CODE = /^(08|57P|53)|^E(CONN|PIPE|HOST|NOTFOUND|TIMEDOUT)/;
const UNREACHABLE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|connection timeout|Client has encountered a connection error|driver is not connected|Query read timeout/i;

const CANCELLED = '57014';

/** Whether a statement ran into its timeout. Postgres was reachable, and the same statement may time out on every attempt. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === CANCELLED || isStatementTimeout(error.cause));

/**
 * Whether a dependency could not be reached, which concerns all other work that needs it. A statement timeout does not: otherwise a statement
 * that always times out would be retried without end, and would hold everything else each time.
 */
export const isUnreachable = (error: unknown): boolean => isUnavailable(error) && !isStatementTimeout(error);

/** Converts an unreachable Postgres (or one that is starting, stopping or full) and a statement timeout into SERVICE_UNAVAILABLE. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (code === CANCELLED || (code !== undefined && UNREACHABLE_CODE.test(code)) || UNREACHABLE_TEXT.test(error.message)) {
    return new AppError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return error;
}
