const MIN_MS = 30_000;
const MAX_MS = 3_600_000;
const RETRY_MS = 7 * 24 * 3_600_000;

/**
 * When a failed copy is tried again: after half of the time since it was requested, 30 seconds to an hour. Null: it is given up, a week
 * after it was requested.
 */
export function nextAttempt(requestedAt: Date, now: Date): Date | null {
  const elapsed = now.getTime() - requestedAt.getTime();
  if (elapsed >= RETRY_MS) return null;
  return new Date(now.getTime() + Math.min(Math.max(elapsed / 2, MIN_MS), MAX_MS));
}
