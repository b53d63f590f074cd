import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@classroom/contracts';
import type { ObjectStorage } from '@classroom/storage';
import { withPatience } from '../patience.js';
import { refuse } from '../refused-source.js';

/** Errors of the local disk, which are not retried. A connection can break with many different errors, so those are not listed. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO', 'ENOENT']);

/** Resumes where a broken connection ended. @throws RefusedSource if the object does not exist; otherwise as `withPatience` does */
export async function download(storage: ObjectStorage, key: string, file: string, signal: AbortSignal): Promise<void> {
  const isAbsent = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND';
  const isWorthWaiting = (error: unknown) => !isAbsent(error) && !OF_THE_DISK.has(String((error as NodeJS.ErrnoException).code));
  const fetchRest = async () => {
    const have = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const { size } = (await storage.head(key)) ?? {};
    if (size === undefined) throw new AppError('NOT_FOUND');
    if (have >= size) return;
    const body = await storage.read(key, have > 0 ? { start: have } : undefined);
    await pipeline(body, createWriteStream(file, { flags: 'a' }), { signal });
  };
  await withPatience(fetchRest, signal, isWorthWaiting).catch((error: unknown) => {
    throw isAbsent(error) ? refuse('missing', error) : error;
  });
}
