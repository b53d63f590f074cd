import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { In, IsNull, LessThanOrEqual } from 'typeorm';
import { sql } from '../schema/sql.js';
import { VideoEntity } from '../schema/video.entity.js';

const backlog = sql(
  'waiting-videos.backlog',
  `SELECT count(*) AS "count!", min(transcode_at) FILTER (WHERE status = 'pending') AS "dueAt" FROM videos WHERE transcode_at IS NOT NULL`,
);

/** Reads the videos that wait for a worker. */
@Injectable()
export class WaitingVideosRepository {
  constructor(private readonly database: Database) {}

  /** Ids of the videos that are due, the longest waiting first. */
  async due(now: Date, limit: number): Promise<string[]> {
    const where = { transcodeAt: LessThanOrEqual(now), status: In(['pending', 'processing']), deletedAt: IsNull() };
    const order = { transcodeAt: 'ASC' } as const;
    const rows = await this.database.manager.find(VideoEntity, { select: { videoId: true }, where, order, take: limit });
    return rows.map(({ videoId }) => videoId);
  }

  /** How many videos wait or are being transcoded, and since when the first one that no worker has taken is due. */
  async backlog(): Promise<RowOf<typeof backlog> | undefined> {
    return this.database.first(backlog);
  }
}
