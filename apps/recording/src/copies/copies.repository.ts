import { Injectable } from '@nestjs/common';
import { recordingCopied, recordingCopyFailed, type CopyError, type EventData } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { RecordingCopyEntity } from '../schema/recording-copy.entity.js';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { sql } from '../schema/sql.js';

type Recorded = Pick<RecordingEntity, 'recordingKey' | 'organizationId' | 'sid' | 'roomId' | 'egressId'>;

const request = sql(
  'copies.request',
  `INSERT INTO recording_copies (recording_key, organization_id, status, requested_at, next_attempt_at)
   SELECT $1::uuid, organization_id, 'PENDING', $3::timestamptz, $3 FROM recording_buckets WHERE organization_id = $2
   ON CONFLICT DO NOTHING`,
);

/** Not of files that are due for deletion: their class may be erased. */
const adopt = sql.planned(
  'copies.adopt',
  `INSERT INTO recording_copies (recording_key, organization_id, status, requested_at, next_attempt_at)
   SELECT r.recording_key, r.organization_id, 'PENDING', $1::timestamptz, $1
     FROM recording_buckets b
     JOIN recordings r ON r.organization_id = b.organization_id AND r.completed_at >= greatest(b.created_at, $2)
      AND r.status = 'COMPLETED' AND r.deleted_at IS NULL AND (r.delete_at IS NULL OR r.delete_at > $1)
    WHERE NOT EXISTS (SELECT FROM recording_copies c WHERE c.recording_key = r.recording_key)
    LIMIT $3
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const listOf = sql('copies.listOf', `SELECT ${columnsOf(RecordingCopyEntity)} FROM recording_copies WHERE recording_key = ANY ($1)`);

/** One of each organization at a time, the one that is due first. */
const claimDue = sql.planned(
  'copies.claimDue',
  `UPDATE recording_copies SET running_until = $2
    WHERE recording_key IN (
      SELECT due.recording_key FROM recording_copies due
       WHERE due.next_attempt_at <= $1 AND (due.running_until IS NULL OR due.running_until <= $1)
         AND NOT EXISTS (
           SELECT FROM recording_copies other
            WHERE other.organization_id = due.organization_id AND other.status = 'PENDING'
              AND (other.running_until > $1
                OR other.next_attempt_at <= $1 AND (other.next_attempt_at, other.recording_key) < (due.next_attempt_at, due.recording_key)))
       ORDER BY due.next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING recording_key AS "recordingKey"`,
);

const beginAttempt = sql(
  'copies.beginAttempt',
  `UPDATE recording_copies SET attempts = attempts + 1, running_until = $2 WHERE recording_key = $1 AND status = 'PENDING'
   RETURNING ${columnsOf(RecordingCopyEntity)}`,
);

const extend = sql(
  'copies.extend',
  `UPDATE recording_copies SET running_until = $3 WHERE recording_key = $1 AND attempts = $2 AND status = 'PENDING' RETURNING 1`,
);

const saveUpload = sql(
  'copies.saveUpload',
  `UPDATE recording_copies SET upload_key = $3, upload_id = $4 WHERE recording_key = $1 AND attempts = $2 AND status = 'PENDING' RETURNING 1`,
);

const complete = sql(
  'copies.complete',
  `UPDATE recording_copies SET status = 'COPIED', error = NULL, next_attempt_at = NULL, running_until = NULL, upload_key = NULL,
          upload_id = NULL, object_key = $3, copied_at = $4
    WHERE recording_key = $1 AND attempts = $2 AND status = 'PENDING' RETURNING 1`,
);

const postpone = sql(
  'copies.postpone',
  `UPDATE recording_copies SET error = $3, next_attempt_at = $4, running_until = NULL
    WHERE recording_key = $1 AND attempts = $2 AND status = 'PENDING' RETURNING 1`,
);

const release = sql(
  'copies.release',
  `UPDATE recording_copies SET running_until = NULL
    WHERE recording_key = $1 AND ($2::int IS NULL OR attempts = $2) AND status = 'PENDING'`,
);

const giveUp = sql(
  'copies.giveUp',
  `UPDATE recording_copies SET status = 'FAILED', error = coalesce($2, error, $3), next_attempt_at = NULL, running_until = NULL
    WHERE recording_key = $1 AND status = 'PENDING' RETURNING attempts, error AS "error!"`,
);

const giveUpAll = sql.planned(
  'copies.giveUpAll',
  `UPDATE recording_copies c SET status = 'FAILED', error = $2, next_attempt_at = NULL, running_until = NULL
     FROM recordings r
    WHERE c.organization_id = $1 AND c.status = 'PENDING' AND r.recording_key = c.recording_key
   RETURNING r.recording_key AS "recordingKey", r.organization_id AS "organizationId", r.sid, r.room_id AS "roomId",
             r.egress_id AS "egressId", c.attempts`,
);

const retryAll = sql.planned(
  'copies.retryAll',
  `UPDATE recording_copies c
      SET status = 'PENDING', requested_at = $2::timestamptz, next_attempt_at = $2, running_until = NULL
     FROM recordings r
    WHERE c.organization_id = $1 AND c.status IN ('PENDING', 'FAILED') AND c.error IS DISTINCT FROM 'erased'
      AND r.recording_key = c.recording_key AND r.deleted_at IS NULL`,
);

const hasten = sql(
  'copies.hasten',
  `UPDATE recording_copies SET next_attempt_at = $2
    WHERE organization_id = $1 AND status = 'PENDING' AND error IS NOT NULL AND next_attempt_at > $2`,
);

const erase = sql.planned(
  'copies.erase',
  `INSERT INTO recording_copies (recording_key, organization_id, status, error, requested_at)
   SELECT key, b.organization_id, 'FAILED', 'erased', $3 FROM unnest($2::uuid[]) AS key CROSS JOIN recording_buckets b WHERE b.organization_id = $1
   ON CONFLICT (recording_key) DO UPDATE SET status = 'FAILED', error = 'erased', next_attempt_at = NULL, running_until = NULL
     WHERE recording_copies.status <> 'COPIED'`,
);

const countExisting = sql(
  'copies.countExisting',
  `SELECT count(*)::int AS "count!" FROM recording_copies WHERE recording_key = ANY ($1) AND (status = 'COPIED' OR upload_id IS NOT NULL)`,
);

const removeOf = sql.planned(
  'copies.removeOf',
  `DELETE FROM recording_copies WHERE organization_id = $1 RETURNING status = 'COPIED' OR upload_id IS NOT NULL AS "exists!"`,
);

const summarize = sql.planned(
  'copies.summarize',
  `SELECT count(*)::int AS "pending!", min(next_attempt_at) FILTER (WHERE running_until IS NULL OR running_until <= $1) AS "dueAt?"
     FROM recording_copies WHERE next_attempt_at IS NOT NULL`,
);

/** The only writer of `recording_copies`. A method that takes the number of an attempt does nothing if another attempt has begun. */
@Injectable()
export class CopiesRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Requests the copy of a completed recording if its organization has set a bucket. Idempotent. */
  async request(tx: Transaction, { recordingKey, organizationId }: Recorded, now: Date): Promise<void> {
    await tx.run(request, recordingKey, organizationId, now);
  }

  /** Requests missing copies of recordings that were completed after `since`. @returns how many */
  async adopt(now: Date, since: Date, limit: number): Promise<number> {
    return (await this.database.run(adopt, now, since, limit)).length;
  }

  /** Copies by the keys of their recordings. */
  async listOf(recordingKeys: readonly string[]): Promise<Map<string, RecordingCopyEntity>> {
    const rows = await this.database.run(listOf, [...recordingKeys]);
    return new Map(rows.map((row) => [row.recordingKey, row]));
  }

  /** Claims copies that are due, each for one process until `until`. @returns the keys of their recordings */
  async claimDue(now: Date, until: Date, limit: number): Promise<string[]> {
    return (await this.database.run(claimDue, now, until, limit)).map(({ recordingKey }) => recordingKey);
  }

  /** @returns the copy with the number of the new attempt; undefined if none is to be made */
  async beginAttempt(recordingKey: string, until: Date): Promise<RecordingCopyEntity | undefined> {
    return this.database.first(beginAttempt, recordingKey, until);
  }

  /** False if the attempt is no longer to be continued. */
  async extend(recordingKey: string, attempt: number, until: Date): Promise<boolean> {
    return (await this.database.run(extend, recordingKey, attempt, until)).length === 1;
  }

  /** False if the attempt is no longer to be continued. */
  async saveUpload(recordingKey: string, attempt: number, key: string, uploadId: string): Promise<boolean> {
    return (await this.database.run(saveUpload, recordingKey, attempt, key, uploadId)).length === 1;
  }

  /** Marks the copy COPIED and publishes that. @returns false if it is no longer pending */
  async complete(
    tx: Transaction,
    recording: Recorded,
    attempt: number,
    copied: Omit<EventData<typeof recordingCopied>, 'organizationId' | 'sid' | 'roomId' | 'egressId'>,
  ): Promise<boolean> {
    const rows = await tx.run(complete, recording.recordingKey, attempt, copied.key, new Date(copied.copiedAt));
    if (rows.length === 0) return false;
    await this.outbox.add(tx, fact(recordingCopied, recording.sid, { ...namesOf(recording), ...copied }));
    return true;
  }

  async postpone(tx: Transaction, recordingKey: string, attempt: number, error: CopyError, next: Date): Promise<boolean> {
    return (await tx.run(postpone, recordingKey, attempt, error, next)).length === 1;
  }

  /**
   * Gives a copy back that was not finished, so that another worker takes it at once.
   * @param attempt null: its attempt has not begun
   */
  async release(recordingKey: string, attempt: number | null): Promise<void> {
    await this.database.run(release, recordingKey, attempt);
  }

  /**
   * Marks a pending copy FAILED and publishes that.
   * @param error why. Undefined: the reason of the last attempt, and `otherwise` if there was none
   */
  async giveUp(tx: Transaction, recording: Recorded, now: Date, error: CopyError | undefined, otherwise: CopyError): Promise<void> {
    const row = await tx.first(giveUp, recording.recordingKey, error ?? null, otherwise);
    if (row) await this.publishFailure(tx, recording, row, now);
  }

  async giveUpAll(tx: Transaction, organizationId: string, error: CopyError, now: Date): Promise<void> {
    for (const row of await tx.run(giveUpAll, organizationId, error)) {
      await this.publishFailure(tx, row, { attempts: row.attempts, error }, now);
    }
  }

  /** Makes pending and failed copies of files that still exist due now. */
  async retryAll(tx: Transaction, organizationId: string, now: Date): Promise<void> {
    await tx.run(retryAll, organizationId, now);
  }

  /** Makes copies due now that wait because of an earlier failure. */
  async hasten(tx: Transaction, organizationId: string, now: Date): Promise<void> {
    await tx.run(hasten, organizationId, now);
  }

  /** Ends the copies of an erased class, also those that were not requested yet. */
  async erase(tx: Transaction, organizationId: string, recordingKeys: readonly string[], now: Date): Promise<void> {
    await tx.run(erase, organizationId, [...recordingKeys], now);
  }

  /** How many of the recordings are in the organization's bucket, as far as is known. */
  async countExisting(tx: Transaction, recordingKeys: readonly string[]): Promise<number> {
    return (await tx.first(countExisting, [...recordingKeys]))?.count ?? 0;
  }

  /** Removes the rows of an erased organization. @returns how many of its recordings are in its bucket, as far as is known */
  async removeOf(tx: Transaction, organizationId: string): Promise<number> {
    return (await tx.run(removeOf, organizationId)).filter(({ exists }) => exists).length;
  }

  /** How many copies wait or run, and since when the first one that does not run has been due. */
  async summarize(now: Date): Promise<RowOf<typeof summarize> | undefined> {
    return this.database.first(summarize, now);
  }

  /** Whether a copy of the recording is pending. */
  async isPending(tx: Transaction, recordingKey: string): Promise<boolean> {
    return tx.manager.existsBy(RecordingCopyEntity, { recordingKey, status: 'PENDING' });
  }

  private async publishFailure(
    tx: Transaction,
    recording: Recorded,
    failed: { attempts: number; error: string },
    now: Date,
  ): Promise<void> {
    const data = { ...namesOf(recording), ...failed, failedAt: now.toISOString() };
    await this.outbox.add(tx, fact(recordingCopyFailed, recording.sid, data));
  }
}

const namesOf = ({ organizationId, sid, roomId, egressId }: Recorded) => ({ organizationId, sid, roomId, egressId: egressId ?? '' });
