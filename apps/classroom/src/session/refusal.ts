import type { ErrorCode } from '@classroom/contracts';

export type RefusalCode = ErrorCode | 'NO_ANSWER';

/** What the service answered instead of what we asked for; NO_ANSWER where it could not be reached. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly requestId: string | null = null,
    readonly details: readonly { path: string; message: string }[] = [],
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  /** Whether trying again in a moment may help. */
  get isPassing(): boolean {
    return ['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR'].includes(this.code);
  }

  /** What the answer says of one of its parts, such as why a class is over. */
  detail(path: string): string | undefined {
    return this.details.find((detail) => detail.path === path)?.message;
  }
}
