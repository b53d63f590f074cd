import { z } from 'zod';
import type { ErrorKind } from './error-kinds.js';
import { ERRORS, type ErrorCode } from './errors.js';

export const errorDetail = z.object({ path: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetail>;

/** An error inside an RPC reply. */
export const errorReply = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(errorDetail).optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;

/** Begins a message that says what is wrong with a field, without its name. */
const PREDICATE = /^(must|is|has|was|does|decoding)\b/;

/** A message that names the field itself ("Missing roomId") is used alone. */
function sentence({ path, message }: ErrorDetail): string {
  const field = path.split('.').at(-1) ?? '';
  if (path === '' || (!PREDICATE.test(message) && message.includes(field))) return message;
  return `${path} ${message}`;
}

/** The message of the code, unless the first of the invalid fields says more. */
const messageFor = (code: ErrorCode, [first]: readonly ErrorDetail[] = []): string =>
  code === 'VALIDATION_FAILED' && first ? sentence(first) : ERRORS[code].message;

/**
 * Every failure that a caller can cause or has to know about. Any other thrown error is unknown: it is logged once and answered
 * as INTERNAL_ERROR.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly details: ErrorDetail[] | undefined;

  constructor(
    readonly code: ErrorCode,
    options: { message?: string; details?: ErrorDetail[]; cause?: unknown } = {},
  ) {
    super(options.message ?? messageFor(code, options.details), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = ERRORS[code].kind;
    this.details = options.details;
  }

  toReply(): ErrorReply {
    return { code: this.code, message: this.message, ...(this.details ? { details: this.details } : {}) };
  }

  /** A code that this build does not know (from a newer peer) becomes INTERNAL_ERROR. */
  static fromReply(reply: ErrorReply): AppError {
    const code = reply.code in ERRORS ? (reply.code as ErrorCode) : 'INTERNAL_ERROR';
    return new AppError(code, { message: reply.message, ...(reply.details ? { details: reply.details } : {}) });
  }
}

/** Whether a dependency could not be reached: nothing is known to be wrong with the request, and a later attempt may succeed. */
export const isUnavailable = (error: unknown): error is AppError => error instanceof AppError && error.kind === 'unavailable';
