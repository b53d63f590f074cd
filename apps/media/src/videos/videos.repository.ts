import { Injectable } from '@nestjs/common';
import { videoCompleted, videoFailed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { linkTo, presentTrace } from '@classroom/platform';
import { VIDEO_COLUMNS, type TranscodingResult, type VideoRow } from './video.row.js';

type Row = VideoRow & Record<string, unknown>;

/** The transcoder's side of a video's row. What belongs to an older attempt, or to a deleted video, changes nothing. */
@Injectable()
export class VideosRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async find(videoId: string): Promise<VideoRow | undefined> {
    const [row] = await this.database.prepared<Row>('video', `SELECT ${VIDEO_COLUMNS} FROM videos WHERE video_id = $1`, [videoId]);
    return row;
  }

  async findOwned(organizationId: string, videoId: string): Promise<VideoRow | undefined> {
    const [row] = await this.database.prepared<Row>(
      'video-of-organization',
      `SELECT ${VIDEO_COLUMNS} FROM videos WHERE organization_id = $1 AND video_id = $2 AND deleted_at IS NULL`,
      [organizationId, videoId],
    );
    return row;
  }

  /**
   * The whole source is there: a worker shall take it. False where it is not waited for any more. The upload's id stays known: a
   * client that lost the answer to its last bytes asks with it how far it is.
   */
  async markUploaded(tx: Transaction, videoId: string, size: number, at: Date): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE videos SET status = 'pending', size = $2, transcode_at = $3, trace = $4
        WHERE video_id = $1 AND status = 'uploading' AND deleted_at IS NULL RETURNING 1`,
      [videoId, size, at, presentTrace()],
    );
    return rows.length === 1;
  }

  /** A new attempt, which from now on is the only one that counts; taken up again at `again` where its worker dies. */
  async begin(videoId: string, now: Date, again: Date): Promise<VideoRow | undefined> {
    const [row] = await this.database.query<Row & { trace: string | null }>(
      `UPDATE videos SET status = 'processing', attempt = attempt + 1, attempted_at = $2, transcode_at = $3, progress = 0
        WHERE video_id = $1 AND status IN ('pending', 'processing') AND deleted_at IS NULL AND transcode_at <= $2
       RETURNING ${VIDEO_COLUMNS}, trace`,
      [videoId, now, again],
    );
    linkTo(row?.trace);
    return row;
  }

  /** False where the attempt counts no more: it was deleted, or another has begun. */
  async progress(videoId: string, attempt: number, percent: number, again: Date): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE videos SET progress = greatest(progress, $3), transcode_at = $4
        WHERE video_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL RETURNING 1`,
      [videoId, attempt, percent, again],
    );
    return rows.length === 1;
  }

  /** It was nobody's fault: the attempt doesn't count, and what it left may be written over. */
  async postpone(videoId: string, attempt: number, at: Date): Promise<void> {
    await this.database.query(
      `UPDATE videos SET status = 'pending', attempt = attempt - 1, transcode_at = $3
        WHERE video_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL`,
      [videoId, attempt, at],
    );
  }

  /** Who waits for a worker, longest first. */
  async due(now: Date, limit: number): Promise<string[]> {
    const rows = await this.database.query<{ videoId: string }>(
      `SELECT video_id AS "videoId" FROM videos
        WHERE transcode_at <= $1 AND status IN ('pending', 'processing') AND deleted_at IS NULL ORDER BY transcode_at LIMIT $2`,
      [now, limit],
    );
    return rows.map(({ videoId }) => videoId);
  }

  async complete(videoId: string, attempt: number, result: TranscodingResult, at: Date): Promise<boolean> {
    return this.finish(videoId, attempt, { status: 'completed', result, message: null, duration: Math.round(result.duration), at });
  }

  /** `message` is for people: what is wrong with the file. */
  async fail(videoId: string, attempt: number, message: string, at: Date): Promise<boolean> {
    return this.finish(videoId, attempt, { status: 'failed', result: null, message, duration: null, at });
  }

  private finish(
    videoId: string,
    attempt: number,
    end: { status: 'completed' | 'failed'; result: TranscodingResult | null; message: string | null; duration: number | null; at: Date },
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [row] = await tx.query<Row>(
        `UPDATE videos SET status = $3, result = $4, message = $5, duration = $6, completed_at = $7, transcode_at = NULL,
                progress = CASE WHEN $3 = 'completed' THEN 100 ELSE progress END
          WHERE video_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL RETURNING ${VIDEO_COLUMNS}`,
        [videoId, attempt, end.status, end.result && JSON.stringify(end.result), end.message, end.duration, end.at],
      );
      if (row) await this.announce(tx, row);
      return row !== undefined;
    });
  }

  /** What became of a video, for whoever is interested. */
  async announce(tx: Transaction, { organizationId, videoId, title, duration, message, status }: VideoRow): Promise<void> {
    const data = { organizationId, videoId, title, duration, message };
    await this.outbox.add(tx, fact(status === 'completed' ? videoCompleted : videoFailed, videoId, data));
  }
}
