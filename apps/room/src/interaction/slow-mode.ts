import { AppError } from '@classroom/contracts';

/** Rejects a message that comes too early. @param waitMs milliseconds after which the next one is accepted, at least 1 */
export function tooEarly(message: string, waitMs: number): AppError {
  const seconds = String(Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', { message, details: [{ path: 'retryAfter', message: seconds }] });
}

/** Milliseconds that remain of a student's wait at `now`; 0 if there is none. */
export function remainingWait(slowModeSeconds: number, lastSentAt: Date | undefined, now: Date): number {
  if (!lastSentAt) return 0;
  // A clock that was set back must not silence a student for longer than the setting.
  return Math.min(slowModeSeconds * 1000, Math.max(0, lastSentAt.getTime() + slowModeSeconds * 1000 - now.getTime()));
}
