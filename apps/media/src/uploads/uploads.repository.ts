import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '@classroom/persistence';
import { IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { sql } from '../schema/sql.js';
import { VideoEntity } from '../schema/video.entity.js';

const find = sql('uploads.find', `SELECT ${columnsOf(VideoEntity)} FROM videos WHERE upload_id = $1 AND deleted_at IS NULL`);

/** Reads videos by their uploads. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly database: Database) {}

  async find(uploadId: string): Promise<VideoEntity | undefined> {
    return this.database.first(find, uploadId);
  }

  /** Uploads that are not known to be complete, in the order of the videos' ids. */
  async open(afterId: string, limit: number): Promise<VideoEntity[]> {
    const where = { status: 'uploading', uploadId: Not(IsNull()), deletedAt: IsNull(), videoId: MoreThan(afterId) } as const;
    return this.database.manager.find(VideoEntity, { where, order: { videoId: 'ASC' }, take: limit });
  }

  async overdue(now: Date, limit: number): Promise<VideoEntity[]> {
    const where = { status: 'uploading', deletedAt: IsNull(), uploadExpiresAt: LessThanOrEqual(now) } as const;
    return this.database.manager.find(VideoEntity, { where, order: { uploadExpiresAt: 'ASC' }, take: limit });
  }
}
