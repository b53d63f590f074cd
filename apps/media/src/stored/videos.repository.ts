import { Injectable } from '@nestjs/common';
import { videoCompleted, videoFailed } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { columnsOf, Database, jsonOf, type RowOf, type Transaction } from '@classroom/persistence';
import { currentTraceparent, linkTo } from '@classroom/platform';
import { IsNull, Not } from 'typeorm';
import { sql } from '../schema/sql.js';
import { VideoEntity, type TranscodingResult } from '../schema/video.entity.js';

export type NewVideo = Pick<
  VideoEntity,
  | 'videoId'
  | 'organizationId'
  | 'title'
  | 'fileName'
  | 'contentType'
  | 'playback'
  | 'size'
  | 'uploadId'
  | 'uploadExpiresAt'
  | 'recordingId'
  | 'createdAt'
>;

/** The columns of an ended video that its event needs. */
const ENDED = 'organization_id AS "organizationId", video_id AS "videoId", title, duration, message, status';

const insert = sql(
  'videos.insert',
  `INSERT INTO videos (video_id, organization_id, title, file_name, content_type, playback, size, status, upload_id,
                       upload_expires_at, recording_id, created_at)
   VALUES (:videoId, :organizationId, :title, :fileName, :contentType, :playback, :size, 'uploading',
           :uploadId, :uploadExpiresAt, :recordingId, :createdAt)
   ON CONFLICT (organization_id, recording_id) WHERE recording_id IS NOT NULL AND deleted_at IS NULL DO NOTHING RETURNING 1`,
);

const find = sql('videos.find', `SELECT ${columnsOf(VideoEntity)} FROM videos WHERE video_id = $1`);

const findOwned = sql(
  'videos.findOwned',
  `SELECT ${columnsOf(VideoEntity)} FROM videos WHERE organization_id = $1 AND video_id = $2 AND deleted_at IS NULL`,
);

// An upload that was not finished in time has no objects.
const storedBytes = sql(
  'videos.storedBytes',
  `SELECT coalesce(sum(bytes), 0)::bigint AS "bytes!"
     FROM (SELECT size + output_bytes + caption_bytes AS bytes FROM videos
            WHERE organization_id = $1 AND deleted_at IS NULL AND NOT (status = 'failed' AND attempt = 0)
           UNION ALL
           SELECT size + output_bytes FROM documents
            WHERE organization_id = $1 AND deleted_at IS NULL AND NOT (status = 'failed' AND attempt = 0)) stored`,
);

const markCounted = sql(
  'videos.markCounted',
  'UPDATE videos SET counted_seconds = $2 WHERE video_id = $1 AND counted_seconds IS NULL AND deleted_at IS NULL RETURNING 1',
);

const countCaptions = sql(
  'videos.countCaptions',
  'UPDATE videos SET caption_bytes = (SELECT coalesce(sum(size), 0) FROM captions WHERE video_id = $1) WHERE video_id = $1',
);

const failUpload = sql(
  'videos.failUpload',
  `UPDATE videos SET status = 'failed', message = $2, completed_at = $3
    WHERE video_id = $1 AND status = 'uploading' AND deleted_at IS NULL RETURNING ${ENDED}`,
);

const begin = sql(
  'videos.begin',
  `UPDATE videos SET status = 'processing', attempt = attempt + 1, attempted_at = $2, transcode_at = $3, progress = 0
    WHERE video_id = $1 AND status IN ('pending', 'processing') AND deleted_at IS NULL AND transcode_at <= $2
   RETURNING ${columnsOf(VideoEntity)}`,
);

const markAllDeleted = sql(
  'videos.markAllDeleted',
  `UPDATE videos SET deleted_at = $2, transcode_at = NULL, upload_expires_at = NULL
    WHERE organization_id = $1 AND deleted_at IS NULL RETURNING 1`,
);

const progress = sql(
  'videos.progress',
  `UPDATE videos SET progress = greatest(progress, $3), transcode_at = $4
    WHERE video_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL RETURNING 1`,
);

const finish = sql(
  'videos.finish',
  `UPDATE videos SET status = :status, result = :result, message = :message, duration = :duration, completed_at = :at,
          output_bytes = :bytes, transcode_at = NULL, progress = CASE WHEN :status = 'completed' THEN 100 ELSE progress END
    WHERE video_id = :videoId AND attempt = :attempt AND status = 'processing' AND deleted_at IS NULL RETURNING ${ENDED}`,
);

interface End extends Pick<VideoEntity, 'result' | 'message' | 'duration'> {
  status: 'completed' | 'failed';
  at: Date;
}

/** Writes every row of `videos`. A worker's write for an outdated attempt or a deleted video changes nothing. */
@Injectable()
export class VideosRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async find(videoId: string): Promise<VideoEntity | undefined> {
    return this.database.first(find, videoId);
  }

  async findOwned(organizationId: string, videoId: string): Promise<VideoEntity | undefined> {
    return this.database.first(findOwned, organizationId, videoId);
  }

  /** False if the recording is already published: the unique index decides a race. */
  async insert(tx: Transaction, video: NewVideo): Promise<boolean> {
    return (await tx.run(insert, video)).length === 1;
  }

  /** Bytes that the videos and documents of an organization occupy: uploads with their declared size, outputs and captions. */
  async storedBytes(organizationId: string, runner: Pick<Transaction, 'first'> = this.database): Promise<number> {
    return (await runner.first(storedBytes, organizationId))?.bytes ?? 0;
  }

  /** False if an earlier attempt did, or if the video is deleted. */
  async markCounted(tx: Transaction, videoId: string, seconds: number): Promise<boolean> {
    return (await tx.run(markCounted, videoId, seconds)).length === 1;
  }

  /** Locks the row until `tx` ends, so that tracks of one video are added one at a time. */
  async lock(tx: Transaction, videoId: string): Promise<void> {
    await tx.manager.findOne(VideoEntity, { where: { videoId }, lock: { mode: 'for_no_key_update' } });
  }

  async countCaptions(tx: Transaction, videoId: string): Promise<void> {
    await tx.run(countCaptions, videoId);
  }

  /** Deletes the row of a video that could not be created. Does nothing if its source was stored. */
  async discard(videoId: string): Promise<void> {
    await this.database.manager.delete(VideoEntity, { videoId, status: 'uploading' });
  }

  /**
   * Marks the source as complete, so that a worker takes it. False if the video is no longer waiting for it. The upload's id stays valid:
   * a client that lost the response to its last bytes uses it to ask for the offset.
   */
  async markUploaded(tx: Transaction, videoId: string, size: number, at: Date): Promise<boolean> {
    const change = { status: 'pending', size, transcodeAt: at, trace: currentTraceparent() } as const;
    const { affected } = await tx.manager.update(VideoEntity, { videoId, status: 'uploading', deletedAt: IsNull() }, change);
    return affected === 1;
  }

  /** Marks an unfinished upload as failed and publishes `video.failed`. Does nothing if it is complete or deleted by now. */
  async failUpload(videoId: string, message: string, at: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await tx.first(failUpload, videoId, message, at);
      if (row) await this.publishEnd(tx, row);
    });
  }

  /** Begins a new attempt, from now on the only one that counts. If its worker dies, the video is due again at `again`. */
  async begin(videoId: string, now: Date, dueAgainAt: Date): Promise<VideoEntity | undefined> {
    const row = await this.database.first(begin, videoId, now, dueAgainAt);
    linkTo(row?.trace);
    return row;
  }

  /** False if the attempt no longer counts: the video was deleted, or another attempt has begun. */
  async progress(videoId: string, attempt: number, percent: number, dueAgainAt: Date): Promise<boolean> {
    return (await this.database.run(progress, videoId, attempt, percent, dueAgainAt)).length === 1;
  }

  /** Returns the video after an attempt that is not at fault: it is not counted, and its output may be overwritten. */
  async postpone(videoId: string, attempt: number, at: Date): Promise<void> {
    const own = { videoId, attempt, status: 'processing', deletedAt: IsNull() } as const;
    await this.database.manager.update(VideoEntity, own, { status: 'pending', attempt: attempt - 1, transcodeAt: at });
  }

  async complete(videoId: string, attempt: number, result: TranscodingResult, at: Date): Promise<boolean> {
    return this.finish(videoId, attempt, { status: 'completed', result, message: null, duration: Math.round(result.duration), at });
  }

  /** @param message for users: what is wrong with the file */
  async fail(videoId: string, attempt: number, message: string, at: Date): Promise<boolean> {
    return this.finish(videoId, attempt, { status: 'failed', result: null, message, duration: null, at });
  }

  /** Makes the video invisible to callers immediately; its objects and its row are deleted later. False if it does not exist. */
  async markDeleted(organizationId: string, videoId: string, at: Date): Promise<boolean> {
    const own = { organizationId, videoId, deletedAt: IsNull() };
    const change = { deletedAt: at, transcodeAt: null, uploadExpiresAt: null };
    const { affected } = await this.database.manager.update(VideoEntity, own, change);
    return affected === 1;
  }

  /** `markDeleted` for all videos of an organization. @returns how many */
  async markAllDeleted(tx: Transaction, organizationId: string, at: Date): Promise<number> {
    return (await tx.run(markAllDeleted, organizationId, at)).length;
  }

  /** Whether any video is left, also one whose objects are still to be deleted. */
  hasAny(organizationId: string): Promise<boolean> {
    return this.database.manager.existsBy(VideoEntity, { organizationId });
  }

  async scheduleSecondDeletion(videoId: string, at: Date): Promise<void> {
    await this.database.manager.update(VideoEntity, { videoId, deletedAt: Not(IsNull()) }, { uploadExpiresAt: at });
  }

  async remove(videoId: string): Promise<void> {
    await this.database.manager.delete(VideoEntity, { videoId, deletedAt: Not(IsNull()) });
  }

  private finish(videoId: string, attempt: number, end: End): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const row = await tx.first(finish, { ...end, ...jsonOf(end, 'result'), videoId, attempt, bytes: end.result?.bytes ?? 0 });
      if (row) await this.publishEnd(tx, row);
      return row !== undefined;
    });
  }

  /** Publishes how the video ended. */
  private async publishEnd(tx: Transaction, row: RowOf<typeof finish>): Promise<void> {
    const { organizationId, videoId, title, duration, message, status } = row;
    const data = { organizationId, videoId, title, duration, message };
    await this.outbox.add(tx, fact(status === 'completed' ? videoCompleted : videoFailed, videoId, data));
  }
}
