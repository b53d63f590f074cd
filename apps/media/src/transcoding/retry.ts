import { setTimeout } from 'node:timers/promises';
import { isUnavailable } from '@classroom/contracts';
import { logger } from '@classroom/platform';

/** How long operations on an unreachable storage or service are retried. */
const TIMEOUT_MS = 10 * 60_000;
const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** The storage, or a service, stayed unreachable for the whole time: the video waits for its next turn. */
export class StorageUnreachable extends Error {
  override readonly name = 'StorageUnreachable';
}

/**
 * Retries with back-off while the storage or a service is unreachable, or while `isRetryable` says so.
 * @throws StorageUnreachable after ten minutes, the signal's reason, any other failure
 */
export async function retryUntilAvailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  isRetryable: (error: unknown) => boolean = isUnavailable,
): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (let delay = INITIAL_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isRetryable(error)) throw error;
      if (Date.now() + delay > deadline) throw new StorageUnreachable('what the attempt needs did not come back', { cause: error });
      logger.warn({ err: error }, 'storage or service unavailable; transcoding paused');
    }
    await setTimeout(delay, undefined, { signal }).catch(() => undefined);
  }
}
