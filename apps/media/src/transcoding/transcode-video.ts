import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, LONGEST_RECORDING_SECONDS } from '@classroom/contracts';
import { Clock, CONFIG, failpoint, inSpan, Lease, LeaseLost, logger, ShutdownDeadline } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { metrics } from '@opentelemetry/api';
import type { MediaConfig } from '../config.js';
import type { TranscodingResult, VideoEntity } from '../schema/video.entity.js';
import { attemptPrefixOf, sourceKeyOf } from '../stored/object-keys.js';
import { VideoQuotas } from '../stored/video-quotas.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { makeOutput } from './make-output.js';
import { Eta } from './progress.js';
import { planOf } from './plan.js';
import { RejectedSource, rejectSource } from './source.js';
import { retryUntilAvailable, StorageUnreachable } from './retry.js';
import { download, WorkFolders } from './work-folders.js';
import { probeSource } from './probe.js';
import { TranscodingTools, type Tools } from './transcoding-tools.js';

const MAX_ATTEMPTS = 5;
/** Of a source's larger side, in pixels. */
const MAX_SOURCE_SIDE = 4_096;
const PROGRESS_INTERVAL_MS = 1_000;
const STORAGE_RETRY_DELAY_MS = 60_000;
/** At shutdown: time reserved for cleaning up, and the interval at which it is checked which attempts can still finish. */
const CLEANUP_RESERVE_MS = 5_000;
const CHECK_INTERVAL_MS = 500;
/** More threads would only use more memory. */
const MAX_THREADS = 8;

const meter = metrics.getMeter('virtual-classroom');
const ends = meter.createCounter('classroom_media_transcodings_total', { description: 'Attempts at videos, by how they ended' });
const durations = meter.createHistogram('classroom_media_transcoding_seconds', {
  description: 'Attempts that made a video, from the first byte of its source to the last of its renditions',
  unit: 's',
  advice: { explicitBucketBoundaries: [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400] },
});

/**
 * `refused`: the source is at fault. `stopped`: this process shut down. `storage_unreachable`: the storage was unreachable. `superseded`:
 * another attempt replaced it, or the video was deleted. `failed`: this machine is at fault.
 */
type TranscodingEnd = 'completed' | 'refused' | 'stopped' | 'storage_unreachable' | 'superseded' | 'failed';

/** The worker shuts down in an orderly way: the attempt is not counted. */
class Stopping extends Error {
  override readonly name = 'Stopping';
}

/** An attempt at a video. It renews its lease each second and writes its progress with it. */
interface Attempt {
  video: VideoEntity;
  tools: Tools;
  lease: Lease;
  eta: Eta;
}

/** One attempt at a video: downloads the source, inspects it, transcodes it and uploads the output. */
@Injectable()
export class TranscodeVideo {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly videos: VideosRepository,
    private readonly quotas: VideoQuotas,
    private readonly storage: ObjectStorage,
    private readonly tools: TranscodingTools,
    private readonly folders: WorkFolders,
    private readonly clock: Clock,
    private readonly grace: ShutdownDeadline,
  ) {}

  /**
   * Does nothing if another worker has the video or it is not due.
   * @param signal at shutdown @throws faults of this machine: the video waits for the lease's end
   */
  async execute(videoId: string, signal: AbortSignal): Promise<void> {
    const tools = await this.tools.tools();
    if (signal.aborted) return;
    const leaseMs = this.config.TRANSCODING_LEASE_SECONDS * 1_000;
    const until = () => new Date(this.clock.wall().getTime() + leaseMs);
    const video = await this.videos.begin(videoId, this.clock.wall(), until());
    if (!video) return;
    const eta = new Eta();
    const renew = () => this.videos.progress(videoId, video.attempt, eta.percent, until());
    const lease = new Lease('video-lease', { ms: leaseMs, renewMs: PROGRESS_INTERVAL_MS }, renew);
    const watch = this.watchShutdown(lease, eta, signal);
    await lease.during(() => this.attempt({ video, tools, lease, eta })).finally(() => watch.end());
  }

  /** At shutdown an attempt that can finish in time does. Another one ends as soon as this is known, for another worker to take immediately. */
  private watchShutdown(lease: Lease, eta: Eta, signal: AbortSignal): { end: () => void } {
    let timer: NodeJS.Timeout | undefined;
    const check = () => {
      const remaining = this.grace.remaining(CLEANUP_RESERVE_MS);
      if (remaining === 0 || eta.minRemainingMs > remaining) lease.end(new Stopping());
    };
    const begin = () => {
      check();
      timer = setInterval(check, CHECK_INTERVAL_MS);
    };
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
    return {
      end: () => {
        signal.removeEventListener('abort', begin);
        clearInterval(timer);
      },
    };
  }

  private async attempt(work: Attempt): Promise<void> {
    const { video } = work;
    const { videoId, attempt } = video;
    const startedAt = performance.now();
    let end: TranscodingEnd = 'completed';
    try {
      if (attempt > MAX_ATTEMPTS) throw rejectSource('interrupted');
      const result = await this.transcode(work);
      await failpoint('media.transcode.before-commit');
      if (!(await this.videos.complete(videoId, attempt, result, this.clock.now()))) throw new LeaseLost('deleted, or taken by another');
      await this.clear(video, attempt - 1);
    } catch (error) {
      end = endOf(error);
      await this.handleFailure(video, error);
    } finally {
      countTranscoding(end, startedAt);
    }
  }

  private async handleFailure(video: VideoEntity, error: unknown): Promise<void> {
    const { videoId, attempt } = video;
    const now = this.clock.wall();
    if (error instanceof RejectedSource) {
      logger.info({ err: error, videoId }, 'video cannot be transcoded');
      await this.videos.fail(videoId, attempt, error.message, this.clock.now());
    } else if (error instanceof Stopping) {
      await this.videos.postpone(videoId, attempt, now);
    } else if (error instanceof StorageUnreachable) {
      await this.videos.postpone(videoId, attempt, new Date(now.getTime() + STORAGE_RETRY_DELAY_MS));
    } else if (!(error instanceof LeaseLost)) {
      // Another attempt begins when the lease has expired.
      throw error;
    }
    await this.clear(video, attempt);
  }

  private async transcode({ video, tools, lease, eta }: Attempt): Promise<TranscodingResult> {
    const { videoId, attempt, playback } = video;
    const { signal } = lease;
    const limits = { seconds: LONGEST_RECORDING_SECONDS, side: MAX_SOURCE_SIDE };
    return this.folders.within(videoId, attempt, async (folder) => {
      await retryUntilAvailable(() => this.deleteAttempts(video, attempt), signal);
      const file = join(folder, 'source');
      await inSpan('download source', {}, () => download(this.storage, sourceKeyOf(video), file, signal));
      const source = await inSpan('probe source', {}, () => probeSource({ tools, file, folder, signal }, limits));
      await this.count(video, source.duration, signal);
      await failpoint('media.transcode.probed');
      const work = {
        tools,
        storage: this.storage,
        file,
        folder: join(folder, 'out'),
        prefix: attemptPrefixOf(video, attempt),
        limits,
        signal,
      };
      await mkdir(work.folder);
      eta.begin();
      const onPercent = (percent: number) => (eta.percent = percent);
      const threads = Math.min(MAX_THREADS, Math.ceil(availableParallelism() / this.config.TRANSCODING_SLOTS));
      return inSpan('transcode', {}, () => makeOutput(source, planOf(source, playback), { ...work, threads, onPercent }));
    });
  }

  /** @throws RejectedSource if the organization's quotas are used up */
  private async count(video: VideoEntity, duration: number, signal: AbortSignal): Promise<void> {
    await retryUntilAvailable(() => this.quotas.count(video, duration), signal).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'QUOTA_EXCEEDED' ? new RejectedSource(error.message, { cause: error }) : error;
    });
  }

  /** Deletes earlier output. What cannot be deleted now is deleted with the next attempt or with the video. */
  private async clear(video: VideoEntity, upTo: number): Promise<void> {
    await this.deleteAttempts(video, upTo).catch((error: unknown) =>
      logger.warn({ err: error, videoId: video.videoId }, 'files of a failed attempt could not be deleted; will retry'),
    );
  }

  private async deleteAttempts(video: VideoEntity, upTo: number): Promise<void> {
    for (let attempt = 1; attempt <= upTo; attempt++) {
      const prefix = attemptPrefixOf(video, attempt);
      await this.storage.abortUploads(prefix);
      await this.storage.deletePrefix(prefix);
    }
  }
}

function endOf(error: unknown): TranscodingEnd {
  if (error instanceof RejectedSource) return 'refused';
  if (error instanceof Stopping) return 'stopped';
  if (error instanceof StorageUnreachable) return 'storage_unreachable';
  return error instanceof LeaseLost ? 'superseded' : 'failed';
}

/** @param startedAt start of the attempt, by performance.now() */
function countTranscoding(outcome: TranscodingEnd, startedAt: number): void {
  ends.add(1, { outcome });
  if (outcome === 'completed') durations.record((performance.now() - startedAt) / 1000);
}
