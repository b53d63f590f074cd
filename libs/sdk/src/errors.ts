import type { ErrorCode } from './schema.js';

/** A field that was refused, by its path in what was sent. */
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

/** The API's refusal, or its failure. */
export class VirtualClassroomError extends Error {
  /** One of the documented codes; a newer service may have more. */
  readonly code: ErrorCode | (string & {});
  /** Of HTTP; 200 where a stream broke off. */
  readonly status: number;
  /** What to name to whoever runs the service. */
  readonly requestId: string | undefined;
  /** Each wrong field, where the code is VALIDATION_FAILED. */
  readonly details: readonly ErrorDetail[];
  /** Milliseconds after which trying again may help, where the service said so. */
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

/** Nothing came back, or not all of it. The cause says more. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}

/** Nothing came back in time. */
export class TimeoutError extends ConnectionError {
  constructor(readonly timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
  }
}

/** Whether it is a refusal with one of these codes. */
export const hasCode = <C extends ErrorCode>(error: unknown, ...codes: C[]): error is VirtualClassroomError & { readonly code: C } =>
  error instanceof VirtualClassroomError && (codes as string[]).includes(error.code);

/**
 * What a response says whose status is not 2xx: the health of a system that is down is an answer all the same.
 * @throws VirtualClassroomError for every other; one of a proxy on the way has no words of ours
 */
export async function successOf(response: Response): Promise<Response> {
  const text = await response.text();
  const body = parsed(text);
  if (body.success === true) return new Response(text);
  throw errorOf(response, body);
}

function errorOf(response: Response, { message, error, requestId, details }: ErrorBody): VirtualClassroomError {
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

function parsed(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Seconds or a date, as HTTP has it. */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
