import { Injectable } from '@nestjs/common';
import { AppError, publishRecording, recordingRpc, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import type { VideoEntity } from '../schema/video.entity.js';
import { sourceKeyOf } from '../stored/object-keys.js';
import { VideoQuotas } from '../stored/video-quotas.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { toProgress } from './list-library.js';
import { LibraryRepository } from './library.repository.js';
import { newVideoId } from './create-uploads.js';

type Located = RpcOutput<typeof recordingRpc.file>;
/** A copy that was interrupted is repeated by the next request. Without one, the video is marked as failed after this time. */
const COPY_TIMEOUT_MS = 3_600_000;

@Injectable()
export class PublishRecording {
  constructor(
    private readonly database: Database,
    private readonly quotas: VideoQuotas,
    private readonly videos: VideosRepository,
    private readonly library: LibraryRepository,
    private readonly storage: ObjectStorage,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Has the storage copy the file, without a download. Publishing a recording again returns the same video.
   * @throws AppError ROOM_NOT_FOUND, RECORDING_NOT_FOUND, RECORDING_IN_PROGRESS, RECORDING_EXPIRED, QUOTA_EXCEEDED
   */
  @Handles(publishRecording)
  async execute(input: RpcInput<typeof publishRecording>) {
    const { organizationId, recordingId } = input;
    const existing = await this.library.ofRecording(organizationId, recordingId);
    if (existing && existing.status !== 'uploading') return toProgress(existing);
    const file = await this.rpc.call(recordingRpc.file, input);
    const video = existing ?? (await this.add(input, file));
    if (video.status === 'uploading') await this.copy(video, file);
    return toProgress(await this.getVideo(organizationId, video.videoId));
  }

  private async add({ organizationId, recordingId }: RpcInput<typeof publishRecording>, file: Located): Promise<VideoEntity> {
    const now = this.clock.now();
    const videoId = newVideoId();
    const video = {
      videoId,
      organizationId,
      recordingId,
      title: file.title,
      fileName: file.fileName,
      contentType: 'video/mp4',
      playback: 'hls' as const,
      size: file.size,
      uploadId: null,
      uploadExpiresAt: new Date(now.getTime() + COPY_TIMEOUT_MS),
      createdAt: now,
    };
    const isFirst = await this.quotas.insert(video, 'recordingId');
    if (isFirst) return this.getVideo(organizationId, videoId);
    const other = await this.library.ofRecording(organizationId, recordingId);
    if (!other) throw new AppError('SERVICE_UNAVAILABLE');
    return other;
  }

  /** Two concurrent calls copy the same bytes to the same key, which does no harm. */
  private async copy(video: VideoEntity, { objectKey, size }: Located): Promise<void> {
    try {
      await failpoint('media.publish.before-copy');
      await this.storage.copy(objectKey, sourceKeyOf(video));
    } catch (error) {
      await this.videos.discard(video.videoId);
      if (error instanceof AppError && error.kind === 'not_found') throw new AppError('RECORDING_EXPIRED', { cause: error });
      throw error;
    }
    await failpoint('media.publish.before-commit');
    await this.database.transaction((tx) => this.videos.markUploaded(tx, video.videoId, size, this.clock.wall()));
  }

  private async getVideo(organizationId: string, videoId: string): Promise<VideoEntity> {
    const video = await this.videos.findOwned(organizationId, videoId);
    if (!video) throw new AppError('SERVICE_UNAVAILABLE');
    return video;
  }
}
