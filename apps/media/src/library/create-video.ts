import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, createVideo, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock, CONFIG, failpoint } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import { UploadStore } from '../uploads/upload-store.js';
import { sourceKeyOf } from '../videos/object-keys.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { VideosRepository } from '../videos/videos.repository.js';

/** Time in which an upload must be finished. */
const UPLOAD_MS = 24 * 3_600_000;

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
    const url = `${this.config.MEDIA_URL.replace(/\/+$/, '')}/uploads/${video.uploadId}`;
    return { videoId: video.videoId, upload: { protocol: 'tus', url, expiresAt: video.uploadExpiresAt.toISOString() } };
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, all equally likely: bytes beyond a multiple of the alphabet's length are discarded. */
function random(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

export const newVideoId = () => `vid_${random(20)}`;
/** Unguessable: an upload needs no other credential. */
export const newUploadId = () => random(32);
