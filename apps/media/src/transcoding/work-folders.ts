import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import { AppError } from '@classroom/contracts';
import type { ObjectStorage } from '@classroom/storage';
import type { MediaConfig } from '../config.js';
import { retryUntilAvailable } from './retry.js';
import { rejectSource } from './source.js';

const ATTEMPT_FOLDER = /^(?:vid|doc|board)_[A-Za-z0-9]+-\d+$/;

/** A local folder for each attempt, and for each file of a board. */
@Injectable()
export class WorkFolders {
  private readonly home: string;
  /** Deletes what a killed worker left. A home belongs to one worker, so nothing in it is in use when the worker starts. */
  private cleaned: Promise<void> | undefined;

  constructor(@Inject(CONFIG) config: MediaConfig) {
    this.home = resolve(config.MEDIA_WORK_HOME);
  }

  /** Runs `work` in a new folder and always removes the folder. */
  async within<T>(id: string, attempt: number, work: (folder: string) => Promise<T>): Promise<T> {
    await this.ready();
    const folder = join(this.home, `${id}-${attempt}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Resolves when nothing of an earlier worker is left. */
  ready(): Promise<void> {
    return (this.cleaned ??= this.clean());
  }

  private async clean(): Promise<void> {
    const names = await readdir(this.home).catch(() => []);
    for (const name of names.filter((it) => ATTEMPT_FOLDER.test(it))) await rm(join(this.home, name), { recursive: true, force: true });
  }
}

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
