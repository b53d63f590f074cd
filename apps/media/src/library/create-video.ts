import { Inject, Injectable } from '@nestjs/common';
import { AppError, createVideo, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock, CONFIG, failpoint } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import { UploadStore } from '../uploads/upload-store.js';
import { sourceKeyOf } from '../videos/object-keys.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { VideosRepository } from '../videos/videos.repository.js';
import { newUploadId, newVideoId } from './new-ids.js';

/** Time in which an upload must be finished. */
export const UPLOAD_MS = 24 * 3_600_000;

@Injectable()
export class CreateVideo {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly quotas: VideoQuotas,
    private readonly videos: VideosRepository,
    private readonly store: UploadStore,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError QUOTA_EXCEEDED, SERVICE_UNAVAILABLE if the storage is unreachable; nothing is kept then */
  @Handles(createVideo)
  async execute(input: RpcInput<typeof createVideo>): Promise<RpcOutput<typeof createVideo>> {
    const now = this.clock.now();
    const video = {
      ...input,
      videoId: newVideoId(),
      uploadId: newUploadId(),
      uploadExpiresAt: new Date(now.getTime() + UPLOAD_MS),
      recordingId: null,
      createdAt: now,
    };
    await this.quotas.insert(video, 'size');
    await failpoint('media.create.before-store');
    try {
      await this.store.open(sourceKeyOf(video), video.size);
    } catch (cause) {
      await this.videos.discard(video.videoId);
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
    return { videoId: video.videoId, upload: toUpload(this.config, video) };
  }
}

/** An upload as its creator gets it. */
export const toUpload = (
  { MEDIA_URL }: Pick<MediaConfig, 'MEDIA_URL'>,
  { uploadId, uploadExpiresAt }: { uploadId: string; uploadExpiresAt: Date },
): RpcOutput<typeof createVideo>['upload'] => ({
  protocol: 'tus',
  url: `${MEDIA_URL.replace(/\/+$/, '')}/uploads/${uploadId}`,
  expiresAt: uploadExpiresAt.toISOString(),
});
