import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '@classroom/contracts';
import { COMPILED_FOLDER } from '../compiled-folder.js';
import type { BoardJob } from './compose-board.js';

/** MiB. What it reads and writes is next to these. */
const HEAP = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64 };

/**
 * Composes a board in a thread of its own, whose memory and time are limited.
 * @param until by performance.now()
 * @throws AppError BOARD_TOO_LARGE, or the signal's reason
 */
export async function composeInThread(job: BoardJob, signal: AbortSignal, until: number): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isLate = false;
  const worker = new Worker(join(COMPILED_FOLDER, 'board', 'board-thread.js'), { workerData: job, resourceLimits: HEAP });
  worker.once('error', reject);
  worker.once('exit', () => resolve());
  const end = () => void worker.terminate();
  const late = setTimeout(
    () => {
      isLate = true;
      end();
    },
    Math.max(0, until - performance.now()),
  );
  signal.addEventListener('abort', end, { once: true });
  try {
    await promise;
    signal.throwIfAborted();
    if (isLate) throw new AppError('BOARD_TOO_LARGE');
  } catch (error) {
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isOutOfMemory ? new AppError('BOARD_TOO_LARGE', { cause: error }) : error;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', end);
  }
}
