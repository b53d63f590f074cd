const PASSING = new Set(['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL_ERROR']);

/** What the service answered instead of what it was asked for; `NO_ANSWER` where it could not be reached. */
export class ClassroomRefusal extends Error {
  override readonly name = 'ClassroomRefusal';

  constructor(
    /** As in the service's documents: UNAUTHORIZED, ROOM_ENDED, ROOM_FULL … */
    readonly code: string,
    message: string,
    /** For whoever looks into the service's logs. */
    readonly requestId: string | null = null,
    /** Why a class is over, where that is what was answered. */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether trying again in a moment may help. */
  get isPassing(): boolean {
    return PASSING.has(this.code);
  }
}
