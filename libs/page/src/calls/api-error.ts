import type { ErrorCode } from '@classroom/contracts';

export type ApiErrorCode = ErrorCode | 'NO_ANSWER';

/** The service refused a request, or is unreachable (code NO_ANSWER). */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    readonly requestId: string | null = null,
    readonly details: readonly { path: string; message: string }[] = [],
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  /** Whether a retry may succeed. */
  get isRetryable(): boolean {
    return ['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(this.code);
  }

  /** The message about one part of the request or answer, such as why a class ended (`reason`). */
  detail(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}
