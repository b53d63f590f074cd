import { Injectable } from '@nestjs/common';
import { listVideos, videoId, type RpcInput, type video } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import type { z } from 'zod';
import type { VideoEntity } from '../schema/video.entity.js';
import { VideoQuotas } from '../videos/video-quotas.js';
import { toPublicStatus } from './describe-video.js';
import { LibraryRepository } from './library.repository.js';

const cursors = pageCursor(videoId);

@Injectable()
export class ListVideos {
  constructor(
    private readonly library: LibraryRepository,
    private readonly quotas: VideoQuotas,
  ) {}

  /** Newest first. @throws AppError VALIDATION_FAILED if the cursor is not one that this service returned */
  @Handles(listVideos)
  async execute({ organizationId, cursor, limit }: RpcInput<typeof listVideos>) {
    const rows = await this.library.page(organizationId, cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      videos: page.map(toVideo),
      nextCursor: rows.length > limit && last ? cursors.encode({ createdAt: last.createdAt, id: last.videoId }) : null,
      ...(cursor === undefined && { usage: await this.quotas.usage(organizationId) }),
    };
  }
}

const toVideo = (row: VideoEntity): z.infer<typeof video> => ({
  videoId: row.videoId,
  title: row.title,
  fileName: row.fileName,
  size: row.size,
  status: toPublicStatus(row),
  progress: row.progress,
  type: row.result?.type ?? null,
  duration: row.duration,
  createdAt: row.createdAt.toISOString(),
  ...(row.message === null ? {} : { message: row.message }),
});
