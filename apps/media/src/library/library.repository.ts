import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type PagePosition } from '@classroom/persistence';
import { IsNull, LessThanOrEqual, Not, Or } from 'typeorm';
import { sql } from '../schema/sql.js';
import { VideoEntity } from '../schema/video.entity.js';

const page = sql.planned(
  'library.page',
  `SELECT ${columnsOf(VideoEntity)} FROM videos
    WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::timestamptz IS NULL OR (created_at, video_id) < ($2, $3))
    ORDER BY created_at DESC, video_id DESC LIMIT $4`,
);

/** Reads an organization's videos, and the deleted ones whose objects are still to be deleted. */
@Injectable()
export class LibraryRepository {
  constructor(private readonly database: Database) {}

  async ofRecording(organizationId: string, recordingId: string): Promise<VideoEntity | null> {
    return this.database.manager.findOneBy(VideoEntity, { organizationId, recordingId, deletedAt: IsNull() });
  }

  /** Newest first. */
  async page(organizationId: string, after: PagePosition | undefined, limit: number): Promise<VideoEntity[]> {
    return this.database.run(page, organizationId, after?.createdAt ?? null, after?.id ?? null, limit);
  }

  /** Deleted videos whose objects have to be deleted now. Their `uploadExpiresAt` is the time of the second deletion. */
  async erasable(now: Date, limit: number): Promise<VideoEntity[]> {
    const where = { deletedAt: Not(IsNull()), uploadExpiresAt: Or(IsNull(), LessThanOrEqual(now)) };
    return this.database.manager.find(VideoEntity, { where, order: { deletedAt: 'ASC' }, take: limit });
  }
}
