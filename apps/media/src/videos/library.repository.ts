import { Injectable } from '@nestjs/common';
import { Database, type PagePosition } from '@classroom/persistence';
import { IsNull, LessThanOrEqual, Not, Or } from 'typeorm';
import { VideoEntity } from '../schema/video.entity.js';

/** Reads an organization's videos, and the deleted ones whose objects are still to be deleted. */
@Injectable()
export class LibraryRepository {
  constructor(private readonly database: Database) {}

  async ofRecording(organizationId: string, recordingId: string): Promise<VideoEntity | null> {
    return this.database.entities((manager) => manager.findOneBy(VideoEntity, { organizationId, recordingId, deletedAt: IsNull() }));
  }

  /** Newest first. */
  async page(organizationId: string, after: PagePosition | undefined, limit: number): Promise<VideoEntity[]> {
    return this.database.entities((manager) => {
      const query = manager
        .createQueryBuilder(VideoEntity, 'v')
        .where('v.organizationId = :organizationId AND v.deletedAt IS NULL', { organizationId })
        .orderBy('v.createdAt', 'DESC')
        .addOrderBy('v.videoId', 'DESC')
        .limit(limit);
      if (after) query.andWhere('(v.createdAt, v.videoId) < (:createdAt, :id)', after);
      return query.getMany();
    });
  }

  /** Deleted videos whose objects have to be deleted now. Their `uploadExpiresAt` is the time of the second deletion. */
  async erasable(now: Date, limit: number): Promise<VideoEntity[]> {
    const where = { deletedAt: Not(IsNull()), uploadExpiresAt: Or(IsNull(), LessThanOrEqual(now)) };
    return this.database.entities((manager) => manager.find(VideoEntity, { where, order: { deletedAt: 'ASC' }, take: limit }));
  }
}
