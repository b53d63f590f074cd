import { Inject, Injectable } from '@nestjs/common';
import { AppError, createVideo, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock, CONFIG, failpoint } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import { VideoQuotas } from '../quotas/video-quotas.js';
import { UploadStore } from '../uploads/upload-store.js';
import { newUploadId, newVideoId } from '../videos/ids.js';
import { sourceKeyOf } from '../videos/object-keys.js';
import { VideosRepository } from '../videos/videos.repository.js';

const HOUR_MS = 3_600_000;

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
      uploadExpiresAt: new Date(now.getTime() + this.config.UPLOAD_HOURS * HOUR_MS),
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
    const url = `${this.config.MEDIA_URL.replace(/\/+$/, '')}/uploads/${video.uploadId}`;
    return { videoId: video.videoId, upload: { protocol: 'tus', url, expiresAt: video.uploadExpiresAt.toISOString() } };
  }
}
