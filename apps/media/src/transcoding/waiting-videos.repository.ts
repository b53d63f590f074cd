import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const backlog = sql(
  'waiting-videos.backlog',
  `SELECT count(*) AS "count!", min(transcode_at) FILTER (WHERE status = 'pending') AS "dueAt" FROM videos WHERE transcode_at IS NOT NULL`,
);

// A video that a worker has counts as the first turn of its organization.
const due = sql(
  'waiting-videos.due',
  `SELECT video_id AS "videoId!"
     FROM (SELECT video_id, transcode_at,
                  row_number() OVER (PARTITION BY organization_id ORDER BY status = 'processing' DESC, transcode_at, video_id) AS turn
             FROM videos WHERE transcode_at IS NOT NULL AND deleted_at IS NULL AND status IN ('pending', 'processing')) waiting
    WHERE transcode_at <= $1 ORDER BY turn, transcode_at, video_id LIMIT $2`,
);

/** Reads the videos that wait for a worker. */
@Injectable()
export class WaitingVideosRepository {
  constructor(private readonly database: Database) {}

  /** Videos that are due: first one of each organization, then a second one of each. Of equals, the longest waiting first. */
  due(now: Date, limit: number): Promise<RowOf<typeof due>[]> {
    return this.database.run(due, now, limit);
  }

  /** How many videos wait or are being transcoded, and since when the first one that no worker has taken is due. */
  async backlog(): Promise<RowOf<typeof backlog> | undefined> {
    return this.database.first(backlog);
  }
}
