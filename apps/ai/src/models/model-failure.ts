import { isNativeError } from 'node:util/types';
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { AppError, invalidField } from '@classroom/contracts';

export type FailureReason =
  /** The provider answered with a status other than 2xx. */
  | 'status'
  | 'unreachable'
  /** The first token, the next token or the end of the answer did not arrive in time. */
  | 'too_slow'
  /** The response does not follow the provider's protocol. */
  | 'unreadable'
  | 'broken_off'
  /** The model failed so often recently that it is not called. */
  | 'circuit_open';

/** The provider can't use what was sent: malformed, too large, of another type, or without a picture or words. */
const CONTENT_STATUSES = [400, 413, 415, 422];
const TRANSIENT_STATUSES = [408, 409, 425, 429];
const CODE = /^[\w.-]{1,64}$/;

interface FailureDetails {
  status?: number;
  /** The provider's error code, an identifier. */
  code?: string;
  /** Milliseconds after which the provider asks for a retry, if it states them. */
  retryAfterMs?: number;
}

/**
 * Why a model did not answer. It contains neither the request, the response nor the causing error, because this error is logged, and errors
 * of the SDK carry the request, the answer and its headers.
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

  /** True for a temporary failure on the provider's side: it is retried, and the circuit breaker counts it. */
  get isTransient(): boolean {
    if (this.reason !== 'status') return this.reason !== 'circuit_open';
    return this.status === undefined || this.status >= 500 || TRANSIENT_STATUSES.includes(this.status);
  }

  /** @param input the caller's sound or picture, if the model got one: a refusal of the content is about it */
  toAppError(input?: 'audio' | 'image'): AppError {
    const isRefused = this.reason === 'status' && !this.isTransient;
    if (input && isRefused && CONTENT_STATUSES.includes(this.status ?? 0)) {
      return invalidField(input, 'was refused by the AI provider', this);
    }
    return new AppError('AI_UNAVAILABLE', { cause: this, ...(isRefused ? { message: 'The AI provider refused the request' } : {}) });
  }
}

/** @param hasBegun whether a part of the answer had already arrived */
export function toModelFailure(error: unknown, hasBegun = false): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody, cause } = error;
    if (statusCode === undefined) return new ModelFailure('unreachable', codeOf(cause));
    if (statusCode < 300) return new ModelFailure(isConnectionError(cause) ? 'broken_off' : 'unreadable');
    return new ModelFailure('status', { status: statusCode, ...providerErrorCode(responseBody), ...retryAfter(responseHeaders) });
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error) || InvalidResponseDataError.isInstance(error)) {
    return new ModelFailure('unreadable');
  }
  if (isConnectionError(error)) return new ModelFailure(hasBegun ? 'broken_off' : 'unreachable', codeOf(error));
  // An error that the provider sent within its stream.
  if (typeof error === 'object' && error !== null && !isNativeError(error)) return new ModelFailure('broken_off', errorCode(error));
  return new ModelFailure('broken_off');
}

/** Errors that fetch throws if the connection was refused, was reset, or closed before the end. */
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

/** Reads the identifier from `{"error":{"code","type","status"}}`, and not the message, which might repeat the question or the key. */
function providerErrorCode(body: string | undefined): FailureDetails {
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
