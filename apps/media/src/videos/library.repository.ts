import { Injectable } from '@nestjs/common';
import { Database, type PagePosition } from '@classroom/persistence';
import { VIDEO_COLUMNS, type VideoRow } from './video.row.js';

type Row = VideoRow & Record<string, unknown>;
export type NewVideo = Pick<
  VideoRow,
  'videoId' | 'organizationId' | 'title' | 'fileName' | 'contentType' | 'playback' | 'size' | 'uploadId' | 'uploadExpiresAt' | 'recordingId' | 'createdAt'
>;

/** An organization's side of its videos: what it adds, lists and deletes. */
@Injectable()
export class LibraryRepository {
  constructor(private readonly database: Database) {}

  /** False where the recording is published already: the unique index decides a race. */
  async insert(video: NewVideo): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO videos (video_id, organization_id, title, file_name, content_type, playback, size, status, upload_id,
                           upload_expires_at, recording_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'uploading', $8, $9, $10, $11)
       ON CONFLICT (organization_id, recording_id) WHERE recording_id IS NOT NULL AND deleted_at IS NULL DO NOTHING RETURNING 1`,
      [
        video.videoId,
        video.organizationId,
        video.title,
        video.fileName,
        video.contentType,
        video.playback,
        video.size,
        video.uploadId,
        video.uploadExpiresAt,
        video.recordingId,
        video.createdAt,
      ],
    );
    return rows.length === 1;
  }

  /** Takes back what never came to be; nothing where it did. */
  async withdraw(videoId: string): Promise<void> {
    await this.database.query(`DELETE FROM videos WHERE video_id = $1 AND status = 'uploading'`, [videoId]);
  }

  async ofRecording(organizationId: string, recordingId: string): Promise<VideoRow | undefined> {
    const [row] = await this.database.query<Row>(
      `SELECT ${VIDEO_COLUMNS} FROM videos WHERE organization_id = $1 AND recording_id = $2 AND deleted_at IS NULL`,
      [organizationId, recordingId],
    );
    return row;
  }

  /** Newest first. */
  page(organizationId: string, after: PagePosition | undefined, limit: number): Promise<VideoRow[]> {
    return this.database.query<Row>(
      `SELECT ${VIDEO_COLUMNS} FROM videos
        WHERE organization_id = $1 AND deleted_at IS NULL
          AND ($2::timestamptz IS NULL OR (created_at, video_id) < ($2, $3))
        ORDER BY created_at DESC, video_id DESC LIMIT $4`,
      [organizationId, after?.createdAt ?? null, after?.id ?? null, limit],
    );
  }

  /** From this moment nobody sees it; its objects and its row go later. False where there is none. */
  async markDeleted(organizationId: string, videoId: string, at: Date): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE videos SET deleted_at = $3, transcode_at = NULL, upload_expires_at = NULL
        WHERE organization_id = $1 AND video_id = $2 AND deleted_at IS NULL RETURNING 1`,
      [organizationId, videoId, at],
    );
    return rows.length === 1;
  }

  /** Deleted ones whose objects have to be looked for now. `upload_expires_at` is when that is to be done once more. */
  erasable(now: Date, limit: number): Promise<VideoRow[]> {
    return this.database.query<Row>(
      `SELECT ${VIDEO_COLUMNS} FROM videos
        WHERE deleted_at IS NOT NULL AND (upload_expires_at IS NULL OR upload_expires_at <= $1) ORDER BY deleted_at LIMIT $2`,
      [now, limit],
    );
  }

  async eraseAgain(videoId: string, at: Date): Promise<void> {
    await this.database.query('UPDATE videos SET upload_expires_at = $2 WHERE video_id = $1 AND deleted_at IS NOT NULL', [videoId, at]);
  }

  async remove(videoId: string): Promise<void> {
    await this.database.query('DELETE FROM videos WHERE video_id = $1 AND deleted_at IS NOT NULL', [videoId]);
  }
}
