import type { ErrorCode } from './schema.js';

/** A rejected field, by its path in the request. */
export interface ErrorDetail {
  path: string;
  message: string;
}

interface ErrorFields {
  code: string;
  status: number;
  requestId: string | undefined;
  details: ErrorDetail[];
  retryAfterMs: number | undefined;
}

/** The API refused the request, or failed. */
export class VirtualClassroomError extends Error {
  /** One of the documented codes; a newer service may have others. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status; 200 if the service reported the error within a stream. */
  readonly status: number;
  /** Name it when you report a problem to the operator of the service. */
  readonly requestId: string | undefined;
  /** Each invalid field, if the code is VALIDATION_FAILED. */
  readonly details: readonly ErrorDetail[];
  /** Milliseconds after which a retry may succeed, if the service gave a time. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, status, requestId, details, retryAfterMs }: ErrorFields) {
    super(message);
    this.name = 'VirtualClassroomError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer arrived, or only a part of it. The cause has the details. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}

/** The answer did not arrive in time. */
export class TimeoutError extends ConnectionError {
  constructor(readonly timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
  }
}

/** Whether the error is a VirtualClassroomError with one of these codes. */
export const hasCode = <C extends ErrorCode>(error: unknown, ...codes: C[]): error is VirtualClassroomError & { readonly code: C } =>
  error instanceof VirtualClassroomError && (codes as string[]).includes(error.code);

/**
 * Handles a response whose status is not 2xx. If its body reports success, the response is an answer: the health of a system
 * that is down.
 * @throws VirtualClassroomError for every other response; a proxy's response has no error code or message of the API
 */
export async function requireSuccess(response: Response): Promise<Response> {
  const text = await response.text();
  const body = parseBody(text);
  if (body.success === true) return new Response(text);
  throw toError(response, body);
}

function toError(response: Response, { message, error, requestId, details }: ErrorBody): VirtualClassroomError {
  return new VirtualClassroomError(message ?? `HTTP ${response.status}`, {
    code: error ?? (response.status >= 500 ? 'SERVICE_UNAVAILABLE' : 'UNKNOWN'),
    status: response.status,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    details: details ?? [],
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

interface ErrorBody {
  success?: boolean;
  message?: string;
  error?: string;
  requestId?: string;
  details?: ErrorDetail[];
}

function parseBody(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Parses Retry-After: HTTP allows seconds or a date. Returns milliseconds. */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
