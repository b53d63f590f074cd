import { Injectable } from '@nestjs/common';
import { AppError, deleteVideo, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { EraseVideos } from '../erasure/erase-videos.js';
import { VideosRepository } from '../videos/videos.repository.js';

@Injectable()
export class DeleteVideo {
  constructor(
    private readonly videos: VideosRepository,
    private readonly eraseVideos: EraseVideos,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VIDEO_NOT_FOUND, also if the video was deleted before */
  @Handles(deleteVideo)
  async execute({ organizationId, videoId }: RpcInput<typeof deleteVideo>) {
    const now = this.clock.now();
    if (!(await this.videos.markDeleted(organizationId, videoId, now))) throw new AppError('VIDEO_NOT_FOUND');
    this.eraseVideos.wake();
    return { videoId, deletedAt: now.toISOString() };
  }
}
