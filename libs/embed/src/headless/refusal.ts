const RETRYABLE_CODES = new Set(['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']);

/** The service refused a request, or is unreachable (code `NO_ANSWER`). */
export class ClassroomRefusal extends Error {
  override readonly name = 'ClassroomRefusal';

  constructor(
    /** As in the API reference: UNAUTHORIZED, ROOM_ENDED, ROOM_FULL … */
    readonly code: string,
    message: string,
    /** Identifies the request in the service's logs. */
    readonly requestId: string | null = null,
    /** Why the class ended, if the code is ROOM_ENDED. */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether a retry may succeed. */
  get isPassing(): boolean {
    return RETRYABLE_CODES.has(this.code);
  }
}
