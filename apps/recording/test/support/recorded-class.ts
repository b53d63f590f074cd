import {
  AppError,
  downloadRecordings,
  HTTP_STATUS,
  listRecordings,
  mergeRecordings,
  pauseRecording,
  recordingRpc,
  resumeRecording,
  roomCreated,
  roomFinished,
  roomUpdated,
  startRecording,
  stopRecording,
  type RecordingOptions,
  type RecordingStatus,
  type RpcOutput,
} from '@classroom/contracts';
import { sealPicture } from '@classroom/platform';
import { type Answer, type Capture, eventually, publishFact, type RecordableRoom } from '@classroom/testing';
import type { FakeRoom } from './fake-services.js';
import type { Fact, RecordingFixture } from './recording-fixture.js';

export type Listed = RpcOutput<typeof listRecordings>[number];

export interface RecordingRow {
  key: string;
  status: RecordingStatus | 'REQUESTED' | 'REFUSED';
  version: number;
  egressId: string | null;
  engineIds: string[];
  reason: string | null;
  objectKey: string | null;
  fileName: string | null;
  size: number | null;
  duration: number | null;
  requestedAt: Date;
  attemptedAt: Date;
  activeAt: Date | null;
  endedAt: Date | null;
  completedAt: Date | null;
  classEndedAt: Date | null;
  lookAt: Date | null;
  missingSince: Date | null;
  finalizeAt: Date | null;
  finalizeTries: number;
  deleteAt: Date | null;
  deletedAt: Date | null;
  heldAt: Date | null;
}

/** The service's own copy of the room, which decides when it is recorded automatically. */
interface KnownRoom {
  autoRecord: boolean;
  endedAt: Date | null;
  autoWantedAt: Date | null;
  autoRecordedAt: Date | null;
}

const COLUMNS = `recording_key AS key, status, version::int, egress_id AS "egressId", engine_ids AS "engineIds", reason,
  object_key AS "objectKey", file_name AS "fileName", size::int, duration, requested_at AS "requestedAt", attempted_at AS "attemptedAt",
  active_at AS "activeAt", ended_at AS "endedAt", completed_at AS "completedAt", class_ended_at AS "classEndedAt", look_at AS "lookAt",
  missing_since AS "missingSince", finalize_at AS "finalizeAt", finalize_tries AS "finalizeTries", delete_at AS "deleteAt",
  deleted_at AS "deletedAt", held_at AS "heldAt"`;

/** A class of the fake room service, and its recordings through the operations of the recording service. */
export class RecordedClass {
  constructor(
    private readonly fixture: RecordingFixture,
    readonly room: FakeRoom,
  ) {}

  get sid(): string {
    return this.room.sid;
  }
  get ids(): { organizationId: string; roomId: string } {
    const { organizationId, roomId } = this.room;
    return { organizationId, roomId };
  }

  start = (options: Partial<RecordingOptions> = {}, logoUrl: string | null = null) =>
    this.fixture.call(startRecording, { ...this.ids, options, logoUrl });
  /** The path of a logo that the recorder gets. */
  logoPath = (logoUrl: string) => sealPicture(this.fixture.stack.secrets['livekitApiSecret'] ?? '', this.room.organizationId, logoUrl);
  stop = (egressId?: string) => this.fixture.call(stopRecording, { ...this.ids, ...(egressId === undefined ? {} : { egressId }) });
  pause = () => this.fixture.call(pauseRecording, this.ids);
  merge = () => this.fixture.call(mergeRecordings, this.ids);
  resume = () => this.fixture.call(resumeRecording, this.ids);
  list = () => this.fixture.call(listRecordings, this.ids);
  download = () => this.fixture.call(downloadRecordings, this.ids);
  file = (recordingId: string) => this.fixture.call(recordingRpc.file, { ...this.ids, recordingId });

  async started(options?: Partial<RecordingOptions>): Promise<string> {
    return (await this.start(options)).egressId;
  }

  /** Starts a recording that the engine has begun to film. */
  async filming(): Promise<string> {
    const before = (await this.list()).map(({ status }) => status);
    const egressId = await this.started();
    await this.reaches(...before, 'ACTIVE');
    return egressId;
  }

  /** A complete recording: its film exists, and the class continues. */
  async recorded(): Promise<string> {
    const egressId = await this.filming();
    const before = (await this.list()).map(({ status }) => status).slice(0, -1);
    await this.stop();
    await this.reaches(...before, 'COMPLETED');
    return egressId;
  }

  /** Waits until the list has exactly these statuses, in this order. */
  reaches(...statuses: RecordingStatus[]): Promise<Listed[]> {
    return eventually(async () => {
      const list = await this.list();
      expect(list.map(({ status }) => status)).toEqual(statuses);
      return list;
    });
  }

  /** Publishes `room.created`, in place of the room service. */
  async announce(autoRecord = true): Promise<void> {
    const { sid, title } = this.room;
    await publishFact(this.fixture.stack, roomCreated, sid, {
      ...this.ids,
      sid,
      title,
      createdAt: new Date().toISOString(),
      autoRecord,
    });
  }

  /** Publishes that the backend chose at `updatedAt` whether to record automatically, in place of the room service. */
  async choose(autoRecord: boolean, updatedAt = new Date()): Promise<void> {
    const { sid, title } = this.room;
    await publishFact(this.fixture.stack, roomUpdated, sid, { ...this.ids, sid, title, updatedAt: updatedAt.toISOString(), autoRecord });
  }

  /** The webhook about the first track that a participant publishes. */
  publishTrack = () => this.fixture.webhook('track_published', this.sid, { room: { name: this.sid }, track: { sid: 'TR_1' } });

  /** The room service ends the class; the recording service learns it only from `publishEnd`. */
  finish(endedAt = new Date()): void {
    Object.assign(this.room, { state: 'finished', endedAt: endedAt.toISOString() });
  }

  async publishEnd(): Promise<void> {
    const { sid, title, endedAt } = this.room;
    const totals = { connections: 1, totalSeconds: 60, versionSum: 1, lastVersion: 1 };
    const data = { ...this.ids, sid, title, startedAt: null, endedAt: endedAt ?? '', reason: 'ended', ...totals };
    await publishFact(this.fixture.stack, roomFinished, sid, data);
  }

  async end(endedAt?: Date): Promise<void> {
    this.finish(endedAt);
    await this.publishEnd();
  }

  /** Its rows, oldest first, also those that are never listed. */
  rows(): Promise<RecordingRow[]> {
    return this.fixture.stack.rows<RecordingRow>(`SELECT ${COLUMNS} FROM recording.recordings WHERE sid = $1 ORDER BY requested_at`, [
      this.sid,
    ]);
  }

  /** The newest row. */
  async row(): Promise<RecordingRow> {
    const row = (await this.rows()).at(-1);
    if (!row) throw new Error(`${this.sid} was never recorded`);
    return row;
  }

  /** Waits until the newest row contains these values. */
  rowHas(values: { [Name in keyof RecordingRow]?: unknown }): Promise<RecordingRow> {
    return eventually(async () => {
      const row = await this.row();
      expect(row).toMatchObject(values);
      return row;
    });
  }

  /** Shifts the times of watched rows, as if `seconds` had passed: the watchdog's times are in real time. */
  async age(seconds: number): Promise<void> {
    const shifted = ['missing_since', 'requested_at', 'attempted_at', 'active_at', 'ended_at'];
    const shifts = shifted.map((column) => `${column} = ${column} - $2 * interval '1 s'`).join(', ');
    await this.fixture.stack.rows(`UPDATE recording.recordings SET look_at = now(), ${shifts} WHERE sid = $1 AND look_at IS NOT NULL`, [
      this.sid,
      seconds,
    ]);
  }

  /** Sets a time of its rows, which otherwise only passes. */
  async setTime(time: 'active_at' | 'ended_at' | 'delete_at', at: Date | null): Promise<void> {
    await this.fixture.stack.rows(`UPDATE recording.recordings SET ${time} = $2 WHERE sid = $1`, [this.sid, at]);
  }

  /** Lets the service finalize at once what waits for its next attempt. */
  async finalizeNow(): Promise<void> {
    await this.fixture.stack.rows('UPDATE recording.recordings SET finalize_at = now() WHERE sid = $1 AND finalize_at IS NOT NULL', [
      this.sid,
    ]);
  }

  /** Its rows are lost, as after restoring a backup. @returns what brings them back */
  async lose(): Promise<() => Promise<unknown>> {
    const { stack } = this.fixture;
    const lost = await stack.rows<{ row: object }>('DELETE FROM recording.recordings r WHERE sid = $1 RETURNING to_json(r) AS row', [
      this.sid,
    ]);
    return () =>
      stack.rows('INSERT INTO recording.recordings SELECT * FROM json_populate_recordset(NULL::recording.recordings, $1)', [
        JSON.stringify(lost.map(({ row }) => row)),
      ]);
  }

  async known(): Promise<KnownRoom | undefined> {
    const [room] = await this.fixture.stack.rows<KnownRoom>(
      `SELECT auto_record AS "autoRecord", ended_at AS "endedAt", auto_wanted_at AS "autoWantedAt", auto_recorded_at AS "autoRecordedAt"
         FROM recording.rooms WHERE sid = $1`,
      [this.sid],
    );
    return room;
  }

  /** What the service published of the class's recordings, in order of version; changes of health, which have none of their own, are in `healths`. */
  facts(): Fact[] {
    return this.fixture.factsOf(this.sid).filter(({ what }) => what !== 'health-changed');
  }

  /** Each health that the service published, in order. */
  healths(): (string | undefined)[] {
    return this.fixture.factsOf(this.sid).flatMap(({ what, data }) => (what === 'health-changed' ? [data.health] : []));
  }

  captures(): Capture[] {
    return this.fixture.engine.of(this.sid);
  }

  /** The engine's newest capture of the class. */
  capture(): Capture {
    const capture = this.captures().at(-1);
    if (!capture) throw new Error(`nothing was captured in ${this.sid}`);
    return capture;
  }

  /** Keys of its objects in the bucket. */
  async objects(): Promise<string[]> {
    return [...(await this.fixture.bucket.list('recordings/')).keys()].filter((key) => key.includes(this.sid));
  }

  /** The statuses that the room service was notified about. */
  noted(): string[] {
    return this.fixture.services.notes.filter(({ sid }) => sid === this.sid).map(({ status }) => status);
  }

  /** The class as the conformance suite uses it: answers in the form of the HTTP API. */
  asRecordable(): RecordableRoom {
    const isRunning = async () => (await this.rows()).some(({ egressId, status }) => egressId && /^(STARTING|ACTIVE)$/.test(status));
    return {
      roomId: this.room.roomId,
      sid: this.sid,
      start: () => answered(this.start()),
      stop: (egressId) => answered(this.stop(egressId)),
      download: () => answered(this.download()),
      list: this.list,
      status: async () => ({ isRecording: this.room.state === 'live' && (await isRunning()) }),
      end: async () => {
        const wasRecording = await isRunning();
        await this.end();
        return { status: 200, body: { data: { wasRecording } } };
      },
    };
  }
}

// The conformance suite checks the answers itself.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function answered(work: Promise<object>): Promise<Pick<Answer<any>, 'status' | 'body'>> {
  try {
    return { status: 200, body: { data: await work } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: HTTP_STATUS[error.kind], body: { error: error.code } };
  }
}
