import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { RecordingEntity } from '../schema/recording.entity.js';
import { sql } from '../schema/sql.js';

const countByStatus = sql.planned(
  'sweeps.countByStatus',
  'SELECT status, count(*) AS "count!" FROM recordings WHERE deleted_at IS NULL GROUP BY status',
);

/** `finalize_at` moves on with each attempt, so the lateness counts from the time when the recording ended. */
const findOldestUnfinalized = sql.planned(
  'sweeps.findOldestUnfinalized',
  'SELECT min(coalesce(ended_at, requested_at)) AS "since" FROM recordings WHERE finalize_at IS NOT NULL',
);

const findOldestUndeleted = sql.planned(
  'sweeps.findOldestUndeleted',
  `SELECT min(delete_at) AS "since" FROM recordings WHERE delete_at IS NOT NULL AND held_at IS NULL
      AND (delete_at <= $1 OR NOT EXISTS (SELECT FROM recording_copies c
            WHERE c.recording_key = recordings.recording_key AND c.status = 'PENDING'))`,
);

const findDueForDeletion = sql.planned(
  'sweeps.findDueForDeletion',
  `SELECT recording_key AS "recordingKey" FROM recordings
    WHERE delete_at <= $1 AND held_at IS NULL AND status IN ('COMPLETED', 'FAILED', 'ABORTED', 'REFUSED')
      AND (delete_at <= $2 OR NOT EXISTS (SELECT FROM recording_copies c
            WHERE c.recording_key = recordings.recording_key AND c.status = 'PENDING'))
    LIMIT $3`,
);

const findWithoutClassEnd = sql.planned(
  'sweeps.findWithoutClassEnd',
  `SELECT DISTINCT sid, organization_id AS "organizationId", room_id AS "roomId" FROM recordings
    WHERE class_ended_at IS NULL AND status IN ('COMPLETED', 'FAILED', 'ABORTED', 'REFUSED') AND sid > $1 ORDER BY sid LIMIT $2`,
);

/** The queries of the sweeps over all recordings. */
@Injectable()
export class SweepsRepository {
  constructor(private readonly database: Database) {}

  find(recordingKey: string): Promise<RecordingEntity | null> {
    return this.database.manager.findOneBy(RecordingEntity, { recordingKey });
  }

  /**
   * Recordings whose files are due for deletion.
   * @param evenAwaited those that were due by then are deleted although their copy waits
   */
  findDueForDeletion(now: Date, evenAwaited: Date, limit: number): Promise<RowOf<typeof findDueForDeletion>[]> {
    return this.database.run(findDueForDeletion, now, evenAwaited, limit);
  }

  /** Counts the recordings that run or whose files are not deleted yet. */
  countByStatus(): Promise<RowOf<typeof countByStatus>[]> {
    return this.database.run(countByStatus);
  }

  /** Since when the recording waits that ended first. */
  async findOldestUnfinalized(): Promise<Date | null | undefined> {
    return (await this.database.first(findOldestUnfinalized))?.since;
  }

  /** @param evenAwaited as in `findDueForDeletion` */
  async findOldestUndeleted(evenAwaited: Date): Promise<Date | null | undefined> {
    return (await this.database.first(findOldestUndeleted, evenAwaited))?.since;
  }

  /** Rooms with recordings that are over, and whose class end is not known, in the order of their sids after `after`. Some may be live. */
  findWithoutClassEnd(after: string, limit: number): Promise<RowOf<typeof findWithoutClassEnd>[]> {
    return this.database.run(findWithoutClassEnd, after, limit);
  }
}
