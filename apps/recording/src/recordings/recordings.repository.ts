import { Injectable } from '@nestjs/common';
import {
  recordingActive,
  recordingCompleted,
  recordingDeleted,
  recordingEnding,
  recordingFailed,
  recordingHealthChanged,
  recordingStarted,
} from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { columnsOf, Database, jsonOf, type RowOf, type Transaction } from '@classroom/persistence';
import { currentTraceparent, linkTo } from '@classroom/platform';
import { In, IsNull, Not, type FindOptionsOrder, type FindOptionsWhere } from 'typeorm';
import { RecordingEntity } from '../schema/recording.entity.js';
import { sql } from '../schema/sql.js';
import { countEnd, ERASED_ENGINE_ID, healthOf, toFact } from './recording.js';

export type NewRecording = Pick<
  RecordingEntity,
  'recordingKey' | 'organizationId' | 'sid' | 'roomId' | 'title' | 'engineIds' | 'options' | 'logoUrl' | 'mergedFrom' | 'requestedAt'
>;
/** The columns that a step may change: not those that are fixed by the request, and neither `version` nor `trace`. */
export type RecordingChange = Partial<Omit<RecordingEntity, Exclude<keyof NewRecording, 'engineIds'> | 'version' | 'trace'>>;

/** A change of one of these columns is published. */
const PUBLISHED_COLUMNS = new Set(['egressId', 'status', 'activeAt', 'duration', 'deletedAt']);
const FACTS: Partial<Record<RecordingEntity['status'], typeof recordingStarted>> = {
  STARTING: recordingStarted,
  ACTIVE: recordingActive,
  ENDING: recordingEnding,
  COMPLETED: recordingCompleted,
  FAILED: recordingFailed,
  ABORTED: recordingFailed,
};

const MAX_PER_ROOM = 500;

const reserve = sql(
  'recordings.reserve',
  `INSERT INTO recordings (recording_key, organization_id, sid, room_id, title, engine_ids, options, logo_url, status,
                           requested_at, attempted_at, look_at, trace, merged_from)
   VALUES (:recordingKey, :organizationId, :sid, :roomId, :title, :engineIds, :options, :logoUrl, 'REQUESTED',
           :requestedAt, :requestedAt, :lookAt, :trace, :mergedFrom) ON CONFLICT DO NOTHING RETURNING 1`,
);

const findKey = sql('recordings.findKey', 'SELECT recording_key AS "recordingKey" FROM recordings WHERE engine_ids @> ARRAY[$1::text]');

/** Planned at each call: with an unknown limit Postgres reads the whole table. */
const claim = (deadline: 'look_at' | 'finalize_at') =>
  `UPDATE recordings SET ${deadline} = $2
    WHERE recording_key IN (SELECT recording_key FROM recordings WHERE ${deadline} <= $1
                             ORDER BY ${deadline} LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING ${columnsOf(RecordingEntity)}`;

const claimLooks = sql.planned('recordings.claimLooks', claim('look_at'));

const claimFinalizations = sql.planned('recordings.claimFinalizations', claim('finalize_at'));

/** `greatest` ignores a missing completion. A file whose time is over by now is deleted next. */
const keepFor = sql.planned(
  'recordings.keepFor',
  `UPDATE recordings SET delete_at = greatest(class_ended_at + $2::int * interval '1 hour', completed_at + interval '1 hour')
    WHERE organization_id = $1 AND deleted_at IS NULL AND class_ended_at IS NOT NULL AND (held_at IS NOT NULL OR delete_at > $3) RETURNING 1`,
);

const lockByRoomId = sql.planned(
  'recordings.lockByRoomId',
  `SELECT ${columnsOf(RecordingEntity)} FROM recordings WHERE organization_id = $1 AND room_id = $2 ORDER BY recording_key FOR UPDATE`,
);

/** The file of a failed recording may still arrive; that of one which is made or finalized is deleted after its completion. */
const forget = sql.planned(
  'recordings.forget',
  `UPDATE recordings SET title = 'Erased',
          engine_ids = CASE WHEN status = 'FAILED' THEN array_append(array_remove(engine_ids, '${ERASED_ENGINE_ID}'), '${ERASED_ENGINE_ID}') ELSE engine_ids END
    WHERE recording_key = $1`,
);

const countHolds = sql.planned(
  'recordings.countHolds',
  'SELECT count(*)::int AS "holds!" FROM recordings WHERE organization_id = $1 AND held_at IS NOT NULL AND deleted_at IS NULL',
);

const endHolds = sql.planned(
  'recordings.endHolds',
  'UPDATE recordings SET held_at = NULL WHERE organization_id = $1 AND held_at IS NOT NULL AND deleted_at IS NULL RETURNING 1',
);

const deleteSoon = sql.planned(
  'recordings.deleteSoon',
  `UPDATE recordings SET delete_at = $2
    WHERE organization_id = $1 AND deleted_at IS NULL AND held_at IS NULL AND class_ended_at IS NOT NULL AND (delete_at IS NULL OR delete_at > $2)`,
);

const countOld = sql.planned(
  'recordings.countOld',
  `SELECT count(*) FILTER (WHERE class_ended_at <= $2) AS "old!", count(*) AS "all!",
          min(class_ended_at) FILTER (WHERE class_ended_at <= $2) AS "oldestAt"
     FROM recordings WHERE organization_id = $1 AND status = 'COMPLETED' AND deleted_at IS NULL AND held_at IS NULL`,
);

const hasUndeleted = sql.planned(
  'recordings.hasUndeleted',
  'SELECT 1 FROM recordings WHERE organization_id = $1 AND deleted_at IS NULL LIMIT 1',
);

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

/** The only writer of `recordings`. */
@Injectable()
export class RecordingsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** False if the room is already being recorded; the unique index decides a race. */
  async reserve(tx: Transaction, recording: NewRecording, lookAt: Date): Promise<boolean> {
    const values = { ...recording, ...jsonOf(recording, 'options'), lookAt, trace: currentTraceparent() };
    return (await tx.run(reserve, values)).length === 1;
  }

  find(recordingKey: string): Promise<RecordingEntity | null> {
    return this.database.manager.findOneBy(RecordingEntity, { recordingKey });
  }

  lock(tx: Transaction, recordingKey: string): Promise<RecordingEntity | null> {
    return this.lockWhere(tx, { recordingKey });
  }

  /** The room's recording that blocks another one. A merged one only exists after the class. */
  lockActive(tx: Transaction, sid: string): Promise<RecordingEntity | null> {
    return this.lockWhere(tx, { sid, status: In(['REQUESTED', 'STARTING', 'ACTIVE']) });
  }

  /** The room's newest recording, if it is paused and its class continues. */
  async lockPaused(tx: Transaction, sid: string): Promise<RecordingEntity | null> {
    const newest = await this.lockWhere(tx, { sid, egressId: Not(IsNull()) }, { requestedAt: 'DESC', recordingKey: 'DESC' });
    return newest?.pausedAt && !newest.classEndedAt ? newest : null;
  }

  lockByEgressId(tx: Transaction, sid: string, egressId: string): Promise<RecordingEntity | null> {
    return this.lockWhere(tx, { sid, egressId });
  }

  /** Locks every recording of the room, including refused ones. */
  async lockByRoom(tx: Transaction, sid: string): Promise<RecordingEntity[]> {
    const rows = await tx.manager.find(RecordingEntity, { where: { sid }, lock: { mode: 'pessimistic_write' } });
    for (const { trace } of rows) linkTo(trace);
    return rows;
  }

  /** The key of the recording that has an attempt with the id `engineId`. */
  async findKey(engineId: string): Promise<string | undefined> {
    const row = await this.database.first(findKey, engineId);
    return row?.recordingKey;
  }

  /** Files that no hold keeps: all, and those of classes that ended by `before`. */
  async countOld(organizationId: string, before: Date): Promise<RowOf<typeof countOld>> {
    const row = await this.database.first(countOld, organizationId, before);
    return row ?? { old: 0, all: 0, oldestAt: null };
  }

  /** Recordings with a public id, the oldest first. At most the newest `MAX_PER_ROOM`: one message holds that many with a link each. */
  async listByRoom(sid: string): Promise<RecordingEntity[]> {
    const newestFirst = await this.database.manager.find(RecordingEntity, {
      where: { sid, egressId: Not(IsNull()) },
      order: { requestedAt: 'DESC', recordingKey: 'DESC' },
      take: MAX_PER_ROOM,
    });
    return newestFirst.reverse();
  }

  /**
   * Writes a change of a row that `tx` has locked. If the change is published, the version rises and the fact is written with
   * it. A change of its health is published too, as the latest state without a version of its own.
   * @returns the changed row
   */
  async change(tx: Transaction, recording: RecordingEntity, change: RecordingChange): Promise<RecordingEntity> {
    const names = Object.keys(change);
    if (names.length === 0) return recording;
    const isPublished = names.some((name) => PUBLISHED_COLUMNS.has(name));
    const { recordingKey, version } = recording;
    const values = { ...change, version: isPublished ? version + 1 : version };
    const { affected } = await tx.manager.update(RecordingEntity, { recordingKey }, values);
    if (!affected) return recording;
    const changed: RecordingEntity = { ...recording, ...values };
    if (changed.status !== recording.status) tx.afterCommit(`ended-${recordingKey}`, () => countEnd(changed));
    const contract = change.deletedAt ? recordingDeleted : FACTS[changed.status];
    if (isPublished && changed.egressId !== null && contract) await this.outbox.add(tx, fact(contract, changed.sid, toFact(changed)));
    if (changed.egressId !== null && healthOf(changed) !== healthOf(recording))
      await this.outbox.add(tx, fact(recordingHealthChanged, changed.sid, toFact(changed)));
    return changed;
  }

  /** Locks every recording of the classes with a roomId. */
  lockByRoomId(tx: Transaction, organizationId: string, roomId: string): Promise<RecordingEntity[]> {
    return tx.run(lockByRoomId, organizationId, roomId);
  }

  /** Forgets the title of an erased recording, and that an engine may still report its file. */
  async forget(tx: Transaction, recordingKey: string): Promise<void> {
    await tx.run(forget, recordingKey);
  }

  /** Keeps the files of an organization whose time is not over for this long after their class. @returns how many recordings that concerns */
  async keepFor(tx: Transaction, organizationId: string, hours: number, now: Date): Promise<number> {
    return (await tx.run(keepFor, organizationId, hours, now)).length;
  }

  /** Ends all legal holds of an organization. @returns how many */
  async endHolds(organizationId: string): Promise<number> {
    return (await this.database.run(endHolds, organizationId)).length;
  }

  /** How many recordings of an organization are on a legal hold. */
  async countHolds(organizationId: string): Promise<number> {
    return (await this.database.first(countHolds, organizationId))?.holds ?? 0;
  }

  /** Lets the files of an organization's past classes be deleted from `at` on, except those on a legal hold. */
  async deleteSoon(organizationId: string, at: Date): Promise<void> {
    await this.database.run(deleteSoon, organizationId, at);
  }

  async hasUndeleted(organizationId: string): Promise<boolean> {
    return (await this.database.run(hasUndeleted, organizationId)).length > 0;
  }

  /** Claims the rows that the watchdog must look at, each for one process: their next look is set to `next` immediately. */
  claimLooks(now: Date, next: Date, limit: number): Promise<RecordingEntity[]> {
    return this.database.run(claimLooks, now, next, limit);
  }

  /** Claims the rows whose file is awaited, each for one process: their next try is set to `next` immediately. */
  claimFinalizations(now: Date, next: Date, limit: number): Promise<RecordingEntity[]> {
    return this.database.run(claimFinalizations, now, next, limit);
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

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  private async lockWhere(
    tx: Transaction,
    where: FindOptionsWhere<RecordingEntity>,
    order: FindOptionsOrder<RecordingEntity> = {},
  ): Promise<RecordingEntity | null> {
    const row = await tx.manager.findOne(RecordingEntity, { where, order, lock: { mode: 'pessimistic_write' } });
    linkTo(row?.trace);
    return row;
  }
}
