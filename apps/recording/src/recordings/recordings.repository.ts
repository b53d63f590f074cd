import { Injectable } from '@nestjs/common';
import {
  recordingActive,
  recordingCompleted,
  recordingDeleted,
  recordingEnding,
  recordingFailed,
  recordingStarted,
} from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { linkTo, presentTrace } from '@classroom/platform';
import { countEnd } from './recording-counts.js';
import { RECORDING_COLUMNS, toFact, type RecordingRow } from './recording.row.js';

type Row = RecordingRow & Record<string, unknown>;
export type NewRecording = Pick<
  RecordingRow,
  'recordingKey' | 'organizationId' | 'sid' | 'roomId' | 'title' | 'engineIds' | 'options' | 'logoUrl' | 'requestedAt'
>;
/** What a step changes; `lookAt` and `finalizeAt` are deadlines that only the sweeps read. */
export type RecordingChange = Partial<RecordingRow> & { lookAt?: Date | null; finalizeAt?: Date | null };

const COLUMN: Record<string, string> = {
  egressId: 'egress_id',
  engineIds: 'engine_ids',
  status: 'status',
  attemptedAt: 'attempted_at',
  activeAt: 'active_at',
  endedAt: 'ended_at',
  reason: 'reason',
  objectKey: 'object_key',
  fileName: 'file_name',
  size: 'size',
  duration: 'duration',
  completedAt: 'completed_at',
  classEndedAt: 'class_ended_at',
  lookAt: 'look_at',
  missingSince: 'missing_since',
  finalizeAt: 'finalize_at',
  finalizeTries: 'finalize_tries',
  deleteAt: 'delete_at',
  deletedAt: 'deleted_at',
};

/** A change of these is worth telling. */
const TOLD = new Set(['egressId', 'status', 'activeAt', 'duration', 'deletedAt']);
const FACTS: Partial<Record<RecordingRow['status'], typeof recordingStarted>> = {
  STARTING: recordingStarted,
  ACTIVE: recordingActive,
  ENDING: recordingEnding,
  COMPLETED: recordingCompleted,
  FAILED: recordingFailed,
  ABORTED: recordingFailed,
};

const MOST_OF_ROOM = 500;

@Injectable()
export class RecordingsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** False where the room is being recorded already: the unique index decides a race. */
  async reserve(recording: NewRecording, lookAt: Date): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO recordings (recording_key, organization_id, sid, room_id, title, engine_ids, options, logo_url, status,
                               requested_at, attempted_at, look_at, trace)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'REQUESTED', $9, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING 1`,
      [
        recording.recordingKey,
        recording.organizationId,
        recording.sid,
        recording.roomId,
        recording.title,
        recording.engineIds,
        JSON.stringify(recording.options),
        recording.logoUrl,
        recording.requestedAt,
        lookAt,
        presentTrace(),
      ],
    );
    return rows.length === 1;
  }

  async lock(tx: Transaction, recordingKey: string): Promise<RecordingRow | undefined> {
    const [row] = await tx.query<Row>(`SELECT ${RECORDING_COLUMNS} FROM recordings WHERE recording_key = $1 FOR UPDATE`, [recordingKey]);
    linkTo(row?.trace);
    return row;
  }

  /** The one that blocks another of the room. */
  async lockActive(tx: Transaction, sid: string): Promise<RecordingRow | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${RECORDING_COLUMNS} FROM recordings WHERE sid = $1 AND status IN ('REQUESTED', 'STARTING', 'ACTIVE') FOR UPDATE`,
      [sid],
    );
    linkTo(row?.trace);
    return row;
  }

  async lockByEgressId(tx: Transaction, sid: string, egressId: string): Promise<RecordingRow | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${RECORDING_COLUMNS} FROM recordings WHERE sid = $1 AND egress_id = $2 FOR UPDATE`,
      [sid, egressId],
    );
    linkTo(row?.trace);
    return row;
  }

  /** By the id of any of its attempts. */
  async keyOf(engineId: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ key: string }>(
      'SELECT recording_key AS key FROM recordings WHERE engine_ids @> ARRAY[$1::text]',
      [engineId],
    );
    return row?.key;
  }

  /** Those that the public knows, the oldest first; of more than `MOST_OF_ROOM` the newest, which is what one message holds with a link for each. */
  async ofRoom(sid: string): Promise<RecordingRow[]> {
    const newestFirst = await this.database.query<Row>(
      `SELECT ${RECORDING_COLUMNS} FROM recordings
        WHERE sid = $1 AND egress_id IS NOT NULL ORDER BY requested_at DESC, recording_key DESC LIMIT ${MOST_OF_ROOM}`,
      [sid],
    );
    return newestFirst.reverse();
  }

  /**
   * Writes a change of a locked row, under a higher version where it is worth telling, with its fact. Answers the row as it
   * is then.
   */
  async change(tx: Transaction, recording: RecordingRow, change: RecordingChange): Promise<RecordingRow> {
    const names = Object.keys(change).filter((name) => name in COLUMN);
    const isTold = names.some((name) => TOLD.has(name));
    const assignments = names.map((name, index) => `${COLUMN[name]} = $${index + 2}`);
    if (isTold) assignments.push('version = version + 1');
    if (assignments.length === 0) return recording;
    const values = names.map((name) => change[name as keyof RecordingChange] ?? null);
    const [changed] = await tx.query<Row>(
      `UPDATE recordings SET ${assignments.join(', ')} WHERE recording_key = $1 RETURNING ${RECORDING_COLUMNS}`,
      [recording.recordingKey, ...values],
    );
    if (!changed) return recording;
    if (changed.status !== recording.status) tx.afterCommit(`ended-${changed.recordingKey}`, () => countEnd(changed));
    const contract = change.deletedAt ? recordingDeleted : FACTS[changed.status];
    if (isTold && changed.egressId !== null && contract) await this.outbox.add(tx, fact(contract, changed.sid, toFact(changed)));
    return changed;
  }

  /** Rows whose deadline has come, each for one process: it is moved to `next` at once. */
  claim(deadline: 'look_at' | 'finalize_at', now: Date, next: Date, limit: number): Promise<RecordingRow[]> {
    return this.database.query<Row>(
      `UPDATE recordings SET ${deadline} = $2
        WHERE recording_key IN (SELECT recording_key FROM recordings WHERE ${deadline} <= $1
                                 ORDER BY ${deadline} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
       RETURNING ${RECORDING_COLUMNS}`,
      [now, next],
    );
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }
}
