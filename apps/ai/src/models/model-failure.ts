import { isNativeError } from 'node:util/types';
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { AppError } from '@classroom/contracts';

export type FailureReason =
  /** It answered with a status that is no 2xx. */
  | 'status'
  | 'unreachable'
  /** No first word, no further word, or no end in time. */
  | 'too_slow'
  /** Not what its protocol says. */
  | 'unreadable'
  | 'broken_off'
  /** Failed so often of late that it isn't asked. */
  | 'circuit_open';

const PASSING_STATUSES = [408, 409, 425, 429];
const CODE = /^[\w.-]{1,64}$/;

interface FailureDetails {
  status?: number;
  /** The provider's own word for it, an identifier. */
  code?: string;
  /** Milliseconds, where the provider said when to come again. */
  retryAfterMs?: number;
}

/**
 * Why a model did not answer. Holds nothing of what was sent or came back, nor what caused it: errors of the SDK carry the
 * request, the answer and its headers, and what is thrown here is logged.
 */
export class ModelFailure extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly reason: FailureReason,
    { status, code, retryAfterMs }: FailureDetails = {},
  ) {
    super([`the model failed: ${reason}`, status, code].filter((part) => part !== undefined).join(' '));
    this.name = 'ModelFailure';
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** It may pass, and it is the provider's: worth another try, and counted by its circuit breaker. */
  get isPassing(): boolean {
    if (this.reason !== 'status') return this.reason !== 'circuit_open';
    return this.status === undefined || this.status >= 500 || PASSING_STATUSES.includes(this.status);
  }

  toAppError(): AppError {
    const isRefused = this.reason === 'status' && !this.isPassing;
    return new AppError('AI_UNAVAILABLE', { cause: this, ...(isRefused ? { message: 'The AI provider refused the request' } : {}) });
  }
}

/** @param hasBegun whether something of the answer had come already */
export function toModelFailure(error: unknown, hasBegun = false): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody, cause } = error;
    if (statusCode === undefined) return new ModelFailure('unreachable', codeOf(cause));
    if (statusCode < 300) return new ModelFailure(isConnectionError(cause) ? 'broken_off' : 'unreadable');
    return new ModelFailure('status', { status: statusCode, ...providersCode(responseBody), ...retryAfter(responseHeaders) });
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error) || InvalidResponseDataError.isInstance(error)) {
    return new ModelFailure('unreadable');
  }
  if (isConnectionError(error)) return new ModelFailure(hasBegun ? 'broken_off' : 'unreachable', codeOf(error));
  // Told by the provider within its stream.
  if (typeof error === 'object' && error !== null && !isNativeError(error)) return new ModelFailure('broken_off', errorCode(error));
  return new ModelFailure('broken_off');
}

/** What fetch throws: the socket was refused, reset, closed in the middle. */
const isConnectionError = (error: unknown) =>
  isNativeError(error) && (['fetch failed', 'terminated'].includes(error.message) || systemCode(error) !== undefined);

function systemCode(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
  return cause === undefined ? undefined : systemCode(cause);
}

const codeOf = (error: unknown): FailureDetails => {
  const code = systemCode(error);
  return code === undefined ? {} : { code };
};

/** The identifier in `{"error":{"code","type","status"}}`: its message might repeat the question, or the key. */
function providersCode(body: string | undefined): FailureDetails {
  try {
    const { error } = JSON.parse(body ?? '') as { error?: object };
    return errorCode(error ?? {});
  } catch {
    return {};
  }
}

function errorCode(error: object): FailureDetails {
  const { code, type, status } = error as Record<string, unknown>;
  const found = [code, type, status].find((value): value is string => typeof value === 'string' && CODE.test(value));
  return found === undefined ? {} : { code: found };
}

function retryAfter(headers: Record<string, string> | undefined): FailureDetails {
  const inMilliseconds = Number(headers?.['retry-after-ms'] ?? NaN);
  const given = headers?.['retry-after'];
  const inSeconds = Number(given ?? NaN) * 1000;
  const wait = [inMilliseconds, inSeconds, Date.parse(given ?? '') - Date.now()].find((ms) => Number.isFinite(ms) && ms >= 0);
  return wait === undefined ? {} : { retryAfterMs: wait };
}
