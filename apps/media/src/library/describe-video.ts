import { Injectable } from '@nestjs/common';
import { AppError, getVideoStatus, getVideoUrl, type RpcInput, type RpcOutput, type VideoStatus } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { PlaybackUrls } from '../delivery/signature.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { VideosRepository } from '../videos/videos.repository.js';

/** The message for a video that cannot be played yet. */
const PENDING_MESSAGES: Partial<Record<VideoEntity['status'], string>> = {
  uploading: 'The upload is not finished',
  pending: 'The video waits for its transcoding',
  processing: 'The video is being transcoded',
};

@Injectable()
export class DescribeVideo {
  constructor(
    private readonly videos: VideosRepository,
    private readonly urls: PlaybackUrls,
  ) {}

  /** @throws AppError VIDEO_NOT_FOUND */
  @Handles(getVideoUrl)
  async url(input: RpcInput<typeof getVideoUrl>) {
    const video = await this.find(input);
    const status = toPublicStatus(video);
    if (!video.result) return { type: null, url: null, posterUrl: null, status, ...messageOf(video) };
    return { type: video.result.type, ...this.urls.of(video.videoId, video.result), status };
  }

  /** @throws AppError VIDEO_NOT_FOUND */
  @Handles(getVideoStatus)
  async status(input: RpcInput<typeof getVideoStatus>) {
    return toProgress(await this.find(input));
  }

  private async find({ organizationId, videoId }: RpcInput<typeof getVideoStatus>): Promise<VideoEntity> {
    const video = await this.videos.findOwned(organizationId, videoId);
    if (!video) throw new AppError('VIDEO_NOT_FOUND');
    return video;
  }
}

export const toProgress = (video: VideoEntity): RpcOutput<typeof getVideoStatus> => ({
  videoId: video.videoId,
  status: toPublicStatus(video),
  progress: video.progress,
  createdAt: video.createdAt.toISOString(),
  ...messageOf(video),
});

function messageOf(video: VideoEntity): { message?: string } {
  const message = video.message ?? PENDING_MESSAGES[video.status];
  return message === undefined ? {} : { message };
}

/** The status as the API shows it. */
export const toPublicStatus = ({ status }: Pick<VideoEntity, 'status'>): VideoStatus => (status === 'uploading' ? 'pending' : status);
