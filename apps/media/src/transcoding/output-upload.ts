import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inParallel } from '@classroom/platform';
import type { ObjectStorage } from '@classroom/storage';
import { largestOf } from '@classroom/contracts';
import { retryUntilAvailable } from './retry.js';

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

export interface Segment {
  name: string;
  /** Seconds. */
  duration: number;
}

/** The segments of a variant's playlist. */
export function segmentsOf(playlist: string): Segment[] {
  return [...playlist.matchAll(/^#EXTINF:([\d.]+),.*\r?\n([^#\r\n]+)$/gm)].map(([, duration, name = '']) => ({
    name,
    duration: Number(duration),
  }));
}

/** ffmpeg rounds the target duration of a very short video to 0, with which players poll or refuse the playlist. RFC 8216: at least each segment's, rounded. */
export function withTargetDuration(playlist: string): string {
  const longest = largestOf([1, ...segmentsOf(playlist).map(({ duration }) => Math.round(duration))]);
  return playlist.replace(/^#EXT-X-TARGETDURATION:\d+$/m, `#EXT-X-TARGETDURATION:${longest}`);
}

export const durationOf = (segments: Segment[]) => segments.reduce((sum, { duration }) => sum + duration, 0);

/**
 * Bits per second of the heaviest segment. The last segment may be so short that its keyframe makes it heavy, which no player ever
 * notices: segments shorter than two seconds count only if all are.
 */
export function peakBitrate(segments: Segment[], sizeOf: (name: string) => number): number {
  const long = segments.filter(({ duration }) => duration >= 2);
  const rates = (long.length > 0 ? long : segments).map(({ name, duration }) => (sizeOf(name) * 8) / Math.max(duration, 0.1));
  return Math.ceil(largestOf([1, ...rates]));
}

const AAC = 'mp4a.40.2';

/** The codecs' names by RFC 6381, read from an MP4's header. */
export function codecsOf(header: Buffer, hasAudio: boolean): string {
  const at = header.indexOf('avcC');
  // The box's content begins with version, profile, compatibility and level.
  const avc = at < 0 ? [] : [`avc1.${header.subarray(at + 5, at + 8).toString('hex')}`];
  return [...avc, ...(hasAudio ? [AAC] : [])].join(',');
}
