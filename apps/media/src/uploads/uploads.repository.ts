import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { VIDEO_COLUMNS, type VideoRow } from '../videos/video.row.js';
import { VideosRepository } from '../videos/videos.repository.js';

type Row = VideoRow & Record<string, unknown>;

@Injectable()
export class UploadsRepository {
  constructor(
    private readonly database: Database,
    private readonly videos: VideosRepository,
  ) {}

  async find(uploadId: string): Promise<VideoRow | undefined> {
    const [row] = await this.database.prepared<Row>(
      'video-of-upload',
      `SELECT ${VIDEO_COLUMNS} FROM videos WHERE upload_id = $1 AND deleted_at IS NULL`,
      [uploadId],
    );
    return row;
  }

  async finish({ videoId, size }: VideoRow, at: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isFirst = await this.videos.markUploaded(tx, videoId, size, at);
      if (isFirst) await failpoint('media.upload.before-commit');
      return isFirst;
    });
  }

  /** Those that are not known to be whole, by id. */
  open(afterId: string, limit: number): Promise<VideoRow[]> {
    return this.database.query<Row>(
      `SELECT ${VIDEO_COLUMNS} FROM videos
        WHERE status = 'uploading' AND upload_id IS NOT NULL AND deleted_at IS NULL AND video_id > $1 ORDER BY video_id LIMIT $2`,
      [afterId, limit],
    );
  }

  overdue(now: Date, limit: number): Promise<VideoRow[]> {
    return this.database.query<Row>(
      `SELECT ${VIDEO_COLUMNS} FROM videos
        WHERE status = 'uploading' AND deleted_at IS NULL AND upload_expires_at <= $1 ORDER BY upload_expires_at LIMIT $2`,
      [now, limit],
    );
  }

  /** And says so. Nothing where it is whole, or deleted, by now. */
  async fail(videoId: string, message: string, at: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [row] = await tx.query<Row>(
        `UPDATE videos SET status = 'failed', message = $2, completed_at = $3
          WHERE video_id = $1 AND status = 'uploading' AND deleted_at IS NULL RETURNING ${VIDEO_COLUMNS}`,
        [videoId, message, at],
      );
      if (row) await this.videos.announce(tx, row);
    });
  }
}
