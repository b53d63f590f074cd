import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@classroom/contracts';
import type { ObjectStorage } from '@classroom/storage';
import { retryUntilAvailable } from './retry.js';
import { rejectSource } from './source.js';

/** Errors of the local disk, which are not retried. A connection can break with many different errors, so those are not listed. */
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO', 'ENOENT']);

/** Resumes where a broken connection ended. @throws RejectedSource if the object does not exist; otherwise as `retryUntilAvailable` does */
export async function download(storage: ObjectStorage, key: string, file: string, signal: AbortSignal): Promise<void> {
  const isAbsent = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND';
  const isRetryable = (error: unknown) => !isAbsent(error) && !DISK_ERRORS.has(String((error as NodeJS.ErrnoException).code));
  const fetchRest = async () => {
    const localBytes = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const { size } = (await storage.head(key)) ?? {};
    if (size === undefined) throw new AppError('NOT_FOUND');
    if (localBytes >= size) return;
    const body = await storage.read(key, localBytes > 0 ? { start: localBytes } : undefined);
    await pipeline(body, createWriteStream(file, { flags: 'a' }), { signal });
  };
  await retryUntilAvailable(fetchRest, signal, isRetryable).catch((error: unknown) => {
    throw isAbsent(error) ? rejectSource('missing', error) : error;
  });
}
