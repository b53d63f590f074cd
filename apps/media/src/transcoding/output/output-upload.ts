import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inParallel } from '@classroom/platform';
import type { ObjectStorage } from '@classroom/storage';
import { retryUntilAvailable } from '../retry.js';

const CHECK_INTERVAL_MS = 500;
const CONCURRENCY = 4;
const SEGMENT = /^\d+\.m4s$/;
const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
};

/** Uploads the output of one attempt: segments while ffmpeg makes the next ones, so that little is left when it is done. */
export class OutputUpload {
  private readonly sizes = new Map<string, number>();

  constructor(
    private readonly storage: ObjectStorage,
    private readonly folder: string,
    private readonly prefix: string,
    private readonly signal: AbortSignal,
  ) {}

  /** Size in bytes of all uploaded files. */
  get bytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Size in bytes of an uploaded file; 0 if it was not uploaded. @param path below the attempt's prefix */
  sizeOf(path: string): number {
    return this.sizes.get(path) ?? 0;
  }

  /** Uploads the segments of these variants as they appear, until `isDone`, then the rest. @throws StorageUnreachable, or the signal's reason */
  async follow(variants: string[], isDone: AbortSignal): Promise<void> {
    for (;;) {
      // Read before listing: a listing after the end is complete.
      const isLast = isDone.aborted;
      await this.all((await Promise.all(variants.map((name) => this.segments(name)))).flat());
      if (isLast) return;
      await setTimeout(CHECK_INTERVAL_MS, undefined, { signal: isDone }).catch(() => undefined);
      this.signal.throwIfAborted();
    }
  }

  /** Uploads these files and deletes the local copies. @throws as `follow` does */
  async all(paths: string[]): Promise<void> {
    let failure: unknown;
    await inParallel(paths, CONCURRENCY, async (path) => {
      if (failure !== undefined) return;
      await this.one(path).catch((error: unknown) => (failure ??= error));
    });
    if (failure !== undefined) throw failure;
  }

  private async one(path: string): Promise<void> {
    const file = join(this.folder, path);
    const { size } = await stat(file);
    const contentType = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    await retryUntilAvailable(
      () => this.storage.upload(`${this.prefix}${path}`, { file }, { contentType, signal: this.signal }),
      this.signal,
    );
    this.sizes.set(path, size);
    await rm(file);
  }

  private async segments(variant: string): Promise<string[]> {
    const names = await readdir(join(this.folder, variant));
    return names
      .filter((name) => SEGMENT.test(name))
      .sort()
      .map((name) => `${variant}/${name}`);
  }
}
