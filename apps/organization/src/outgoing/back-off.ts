const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between attempts: after the first, the second and so on. In total almost 24 hours. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];
/** Each delay varies by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/**
 * Milliseconds until the next attempt; null if `attempts` was the last one.
 * @param retryAfterMs the least that the endpoint asked for; null if it did not ask
 * @param chance from 0 to 1
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, chance = Math.random()): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const jittered = Math.round(delayMs * (1 + JITTER * (2 * chance - 1)));
  return Math.max(jittered, retryAfterMs ?? 0);
}
