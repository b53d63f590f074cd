import { setTimeout } from 'node:timers/promises';
import { AppError } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** How long operations on an unreachable storage are retried. */
const PATIENCE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** The storage stayed unreachable for the whole time: the video waits for its next turn. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway';
}

export const isAway = (error: unknown) => error instanceof AppError && error.kind === 'unavailable';

/**
 * Retries with back-off while the storage is unreachable, or while `isWorthWaiting` says so.
 * @throws StorageAway after ten minutes, the signal's reason, any other failure
 */
export async function withPatience<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  isWorthWaiting: (error: unknown) => boolean = isAway,
): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isWorthWaiting(error)) throw error;
      if (Date.now() + pause > until) throw new StorageAway('the storage did not come back', { cause: error });
      logger.warn({ err: error }, 'storage unavailable; transcoding paused');
    }
    await setTimeout(pause, undefined, { signal }).catch(() => undefined);
  }
}
