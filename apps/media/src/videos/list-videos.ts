import { Injectable } from '@nestjs/common';
import { invalidField, videoId, type RpcInput, type RpcOutput, type video, type videoRpc } from '@classroom/contracts';
import { z } from 'zod';
import { LibraryRepository, type Position } from './library.repository.js';
import { statusOf, type VideoRow } from './video.row.js';

const position = z.tuple([z.number().int().min(0).max(8.64e15), videoId]);

@Injectable()
export class ListVideos {
  constructor(private readonly library: LibraryRepository) {}

  /** Newest first. @throws AppError VALIDATION_FAILED where the cursor is none of ours */
  async execute({ organizationId, cursor, limit }: RpcInput<typeof videoRpc.list>): Promise<RpcOutput<typeof videoRpc.list>> {
    const rows = await this.library.page(organizationId, cursor === undefined ? undefined : decode(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { videos: page.map(toVideo), nextCursor: rows.length > limit && last ? encode(last) : null };
  }
}

const toVideo = (row: VideoRow): z.infer<typeof video> => ({
  videoId: row.videoId,
  title: row.title,
  fileName: row.fileName,
  size: row.size,
  status: statusOf(row),
  progress: row.progress,
  type: row.result?.type ?? null,
  duration: row.duration,
  createdAt: row.createdAt.toISOString(),
  ...(row.message === null ? {} : { message: row.message }),
});

const encode = ({ createdAt, videoId }: Position) => Buffer.from(JSON.stringify([createdAt.getTime(), videoId])).toString('base64url');

function decode(cursor: string): Position {
  try {
    const [time, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { createdAt: new Date(time), videoId: id };
  } catch (cause) {
    throw invalidField('cursor', 'must be one that a page before gave', cause);
  }
}
