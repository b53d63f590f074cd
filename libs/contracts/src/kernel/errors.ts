import { z } from 'zod';

/** The kind of a failure, independent of the transport. The HTTP status, the RPC reply and ack/nak/term are derived from it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported'
  | 'precondition'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export const HTTP_STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  precondition: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

const define = <const T extends Record<string, { kind: ErrorKind; message: string }>>(codes: T) => codes;

/** The only registry of error codes: the public `error` value, its kind and its default message. */
export const ERRORS = define({
  VALIDATION_FAILED: { kind: 'invalid', message: 'The request is not valid' },
  UNAUTHORIZED: { kind: 'unauthenticated', message: 'Unauthorized' },
  INSUFFICIENT_CREDITS: { kind: 'payment', message: 'Insufficient credits' },
  FORBIDDEN: { kind: 'forbidden', message: 'Your role does not allow this' },
  ORGANIZATION_NOT_FOUND: { kind: 'not_found', message: 'Organization not found' },
  ROOM_NOT_FOUND: { kind: 'not_found', message: 'Room not found' },
  PARTICIPANT_NOT_FOUND: { kind: 'not_found', message: 'Participant not found' },
  POLL_NOT_FOUND: { kind: 'not_found', message: 'Poll not found' },
  RECORDING_NOT_FOUND: { kind: 'not_found', message: 'Recording not found' },
  VIDEO_NOT_FOUND: { kind: 'not_found', message: 'Video not found' },
  QUESTION_NOT_FOUND: { kind: 'not_found', message: 'Question not found' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { kind: 'not_found', message: 'Webhook endpoint not found' },
  WEBHOOK_DELIVERY_NOT_FOUND: { kind: 'not_found', message: 'Webhook delivery not found' },
  API_KEY_NOT_FOUND: { kind: 'not_found', message: 'API key not found' },
  NOT_FOUND: { kind: 'not_found', message: 'Not found' },
  METHOD_NOT_ALLOWED: { kind: 'method_not_allowed', message: 'Method not allowed' },
  ORGANIZATION_ALREADY_EXISTS: { kind: 'conflict', message: 'Organization already exists' },
  BILLING_TYPE_LOCKED: { kind: 'conflict', message: 'The billing type cannot change while a room is live' },
  ROOM_ID_ALREADY_USED: { kind: 'conflict', message: 'This roomId was already used' },
  ROOM_NOT_LIVE: { kind: 'conflict', message: 'The room is not live' },
  ROOM_FULL: { kind: 'conflict', message: 'The room is full' },
  RECORDING_IN_PROGRESS: { kind: 'conflict', message: 'Recording in progress' },
  NO_ACTIVE_RECORDING: { kind: 'conflict', message: 'No recording is active' },
  POLL_CLOSED: { kind: 'conflict', message: 'The poll is closed' },
  ALREADY_VOTED: { kind: 'conflict', message: 'You have voted already' },
  TOO_MANY_POLLS: { kind: 'conflict', message: 'The class has as many polls as it can have' },
  CHAT_BUSY: { kind: 'conflict', message: 'Earlier turns of this chat are still being answered' },
  TOO_MANY_WEBHOOK_ENDPOINTS: { kind: 'conflict', message: 'The organization has as many webhook endpoints as it can have' },
  WEBHOOK_ENDPOINT_DISABLED: { kind: 'conflict', message: 'The webhook endpoint is disabled' },
  TOO_MANY_API_KEYS: { kind: 'conflict', message: 'The organization has as many API keys as it can have' },
  TOO_MANY_API_KEY_SECRETS: {
    kind: 'conflict',
    message: 'The API key has as many secrets as it can have: rotate with graceSeconds 0, or later',
  },
  IDEMPOTENCY_CONFLICT: { kind: 'conflict', message: 'This Idempotency-Key was used with another request' },
  ROOM_ENDED: { kind: 'gone', message: 'Room already ended' },
  RECORDING_EXPIRED: { kind: 'gone', message: 'Download window expired' },
  PAYLOAD_TOO_LARGE: { kind: 'too_large', message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { kind: 'unsupported', message: 'Content-Type must be application/json' },
  ORGANIZATION_SETUP_INCOMPLETE: { kind: 'precondition', message: 'Organization setup is incomplete: no billing plan' },
  RATE_LIMITED: { kind: 'rate_limited', message: 'Too many requests' },
  INTERNAL_ERROR: { kind: 'internal', message: 'Something went wrong on our side' },
  RECORDER_BUSY: { kind: 'unavailable', message: 'No recorder is free; try again when a recording has ended' },
  RESPONSE_TOO_LARGE: { kind: 'internal', message: 'The answer is larger than one response can be; ask for less at a time' },
  AI_UNAVAILABLE: { kind: 'unavailable', message: 'The AI provider does not answer; try again shortly' },
  SERVICE_UNAVAILABLE: { kind: 'unavailable', message: 'A part of the service cannot be reached; try again shortly' },
});

export type ErrorCode = keyof typeof ERRORS;

export const errorDetail = z.object({ path: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetail>;

/** An error inside an RPC reply. */
export const errorReply = z.object({
  code: z.string(),
  message: z.string(),
  details: z.array(errorDetail).optional(),
});
export type ErrorReply = z.infer<typeof errorReply>;

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
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause });
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

/** Converts a zod error into a 400: every invalid field with its path; the message describes the first one. */
export function validationError(error: z.ZodError): AppError {
  const details = error.issues.map((issue) => ({ path: issue.path.join('.'), message: predicate(issue) }));
  const first = details[0];
  return new AppError('VALIDATION_FAILED', { ...(first ? { message: sentence(first) } : {}), details });
}

/** A 400 of the same shape for one field, when only the code that uses the value can check it. */
export const invalidField = (path: string, message: string, cause?: unknown) =>
  new AppError('VALIDATION_FAILED', { message: sentence({ path, message }), details: [{ path, message }], cause });

/** What is wrong with the field, without its name. Zod's own messages are written for programmers. */
function predicate(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is required' : `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');

const withArticle = (type: string) =>
  type === 'int' ? 'a whole number' : type === 'record' ? 'an object' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

/** A message that already contains the field's name ("Missing roomId") is used alone. */
function sentence({ path, message }: ErrorDetail): string {
  const field = path.split('.').at(-1) ?? '';
  if (path === '') return message;
  return message.includes(field) ? message : `${path} ${message}`;
}
