import { Inject, Injectable } from '@nestjs/common';
import { AppError, getOrganization, type listVideos, type RpcOutput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { LibrariesRepository } from './libraries.repository.js';
import { VideosRepository, type NewVideo } from './videos.repository.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

type Usage = NonNullable<RpcOutput<typeof listVideos>['usage']>;

/**
 * What an organization may store and have transcoded: one of many must not fill the disk or the workers of all. Bytes are what the rows of its
 * videos and documents say, so a deleted one or an expired upload gives them back. The organization's row in `libraries` is locked while they are
 * compared, so that creations at the same time do not exceed them.
 */
@Injectable()
export class VideoQuotas {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<MediaConfig, 'VIDEO_GIB_PER_ORGANIZATION' | 'VIDEO_MINUTES_PER_MONTH'>,
    private readonly database: Database,
    private readonly libraries: LibrariesRepository,
    private readonly videos: VideosRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /** Inserts the video if the quotas allow it. False if its recording is already published. @throws AppError QUOTA_EXCEEDED */
  async insert(video: NewVideo, path: string): Promise<boolean> {
    const { organizationId, size } = video;
    const quota = await this.of(organizationId);
    return this.database.transaction(async (tx) => {
      const used = await this.lock(tx, organizationId);
      requireBytes(path, used.bytes, size, quota.bytes);
      requireMinutes(used.seconds, 0, quota.seconds, this.clock.now());
      return this.videos.insert(tx, video);
    });
  }

  /** Runs `work` if the quotas allow so many bytes more. @throws AppError QUOTA_EXCEEDED */
  async within<T>(organizationId: string, bytes: number, path: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const quota = await this.of(organizationId);
    return this.database.transaction(async (tx) => {
      const used = await this.lock(tx, organizationId);
      requireBytes(path, used.bytes, bytes, quota.bytes);
      return work(tx);
    });
  }

  /** @param bytes of a caption track @throws AppError QUOTA_EXCEEDED */
  async requireSpace(organizationId: string, bytes: number, path: string): Promise<void> {
    const quota = await this.of(organizationId);
    requireBytes(path, await this.videos.storedBytes(organizationId), bytes, quota.bytes);
  }

  /**
   * Counts the length of a video that is to be transcoded, at its first attempt. What earlier ones made may have used up the storage since its
   * upload was created.
   * @throws AppError QUOTA_EXCEEDED, SERVICE_UNAVAILABLE
   */
  async count({ organizationId, videoId }: VideoEntity, duration: number): Promise<void> {
    const seconds = Math.ceil(duration);
    const quota = await this.of(organizationId);
    await this.database.transaction(async (tx) => {
      const used = await this.lock(tx, organizationId);
      if (!(await this.videos.markCounted(tx, videoId, seconds))) return;
      requireBytes('size', used.bytes, 0, quota.bytes);
      requireMinutes(used.seconds, seconds, quota.seconds, this.clock.now());
      await this.libraries.add(tx, organizationId, seconds);
    });
  }

  async usage(organizationId: string): Promise<Usage> {
    const [quota, bytes, seconds] = await Promise.all([
      this.of(organizationId),
      this.videos.storedBytes(organizationId),
      this.libraries.seconds(organizationId, this.month()),
    ]);
    return { bytes, maxBytes: quota.bytes, minutes: Math.ceil(seconds / 60), maxMinutes: quota.seconds / 60 };
  }

  /** The organization's own quotas, otherwise those of the installation. */
  private async of(organizationId: string): Promise<{ bytes: number; seconds: number }> {
    const { quotas } = await this.rpc.call(getOrganization, { organizationId });
    return {
      bytes: (quotas.videoGib ?? this.config.VIDEO_GIB_PER_ORGANIZATION) * GIB,
      seconds: (quotas.videoMinutes ?? this.config.VIDEO_MINUTES_PER_MONTH) * 60,
    };
  }

  /** The bytes are read after the lock: with what was committed until then. */
  private async lock(tx: Transaction, organizationId: string): Promise<{ bytes: number; seconds: number }> {
    const seconds = await this.libraries.lock(tx, organizationId, this.month());
    return { seconds, bytes: await this.videos.storedBytes(organizationId, tx) };
  }

  private month(): Date {
    const now = this.clock.now();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  }
}

const sizeOf = (bytes: number) => (bytes < GIB / 10 ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`);
const minutesOf = (seconds: number) => String(Math.ceil(seconds / 60));

/** @param path field of the request that asks for more @param added bytes */
function requireBytes(path: string, used: number, added: number, allowed: number): void {
  if (used + added <= allowed) return;
  const message = `The quota of storage is exceeded: the organization’s videos and documents occupy ${sizeOf(used)} of ${sizeOf(allowed)}, and this needs ${sizeOf(added)}. Delete some, or have the operator raise quotas.videoGib.`;
  throw new AppError('QUOTA_EXCEEDED', { message, details: [{ path, message }] });
}

/** @param added seconds; 0 while they are not known @param now in the month */
function requireMinutes(used: number, added: number, allowed: number, now: Date): void {
  if (added === 0 ? used < allowed : used + added <= allowed) return;
  const needed = added === 0 ? '' : `, and this has ${minutesOf(added)}`;
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 10);
  const message = `The quota of transcoding is exceeded: ${minutesOf(used)} of ${minutesOf(allowed)} minutes of this month are used${needed}. Wait until ${next} (UTC), or have the operator raise quotas.videoMinutes.`;
  throw new AppError('QUOTA_EXCEEDED', { message, details: [{ path: 'quotas.videoMinutes', message }] });
}
