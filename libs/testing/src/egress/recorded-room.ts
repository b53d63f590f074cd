import { type ApiClient, newRoom } from '../api.js';
import { eventually } from '../eventually.js';
import type { RunningStack } from '../running-stack.js';

export interface ListedRecording {
  recordingId: string;
  roomId: string;
  status: string;
  startedAt: string;
  endedAt: string | null;
  duration: number;
}

/** Lets a participant join a room, so that it is live; resolves when LiveKit has the participant. */
export type Enter = (room: { sid: string; token: string }) => Promise<unknown>;

export interface RecordingState {
  key: string;
  status: string;
  reason: string | null;
  egressId: string | null;
  engineIds: string[];
  objectKey: string;
  version: number;
  activeAt: Date | null;
  endedAt: Date | null;
  missingSince: Date | null;
  classEndedAt: Date | null;
  completedAt: Date | null;
  deleteAt: Date | null;
  deletedAt: Date | null;
}

/** What the recording service keeps of a room's recordings, oldest first: also those that are never listed. */
export const recordingsOf = (stack: RunningStack, sid: string): Promise<RecordingState[]> =>
  stack.rows<RecordingState>(
    `SELECT recording_key AS key, status, reason, egress_id AS "egressId", engine_ids AS "engineIds", object_key AS "objectKey", version::int,
            active_at AS "activeAt", ended_at AS "endedAt", missing_since AS "missingSince", class_ended_at AS "classEndedAt",
            completed_at AS "completedAt", delete_at AS "deleteAt", deleted_at AS "deletedAt"
       FROM recording.recordings WHERE sid = $1 ORDER BY requested_at`,
    [sid],
  );

interface Reply<D> {
  status: number;
  body: { error?: string; data: D };
}

/** A live room and its recordings, with answers in the form of the HTTP API. */
export interface RecordableRoom {
  readonly roomId: string;
  readonly sid: string;
  start(): Promise<Reply<{ egressId: string }>>;
  stop(egressId?: string): Promise<Reply<object>>;
  download(): Promise<Reply<{ files: { downloadUrl: string; size: number; duration: number }[] }>>;
  end(): Promise<Reply<object>>;
  status(): Promise<{ isRecording: boolean }>;
  list(): Promise<ListedRecording[]>;
}

/** A room with a participant in it, and its recordings as its backend sees them. */
export class RecordedRoom implements RecordableRoom {
  private constructor(
    private readonly stack: RunningStack,
    private readonly api: ApiClient,
    readonly roomId: string,
    readonly sid: string,
    readonly token: string,
  ) {}

  /** Resolves when the room is live. */
  static async open(stack: RunningStack, api: ApiClient, enter: Enter, overrides: object = {}): Promise<RecordedRoom> {
    const { roomId, sid, token } = await newRoom(api, overrides);
    const room = new RecordedRoom(stack, api, roomId, sid, token);
    await enter({ sid, token });
    await eventually(async () => {
      if (!(await room.status()).isActive) throw new Error(`${roomId} is not live`);
    });
    return room;
  }

  start = (options?: object) => this.api.post(`${this.path}/recording/start`, options && { options });
  stop = (egressId?: string) => this.api.post(`${this.path}/recording/stop`, egressId && { egressId });
  download = () => this.api.get(`${this.path}/recordings/download`);
  end = () => this.api.delete(this.path);
  status = async (): Promise<{ isActive: boolean; isRecording: boolean }> => (await this.api.get(`${this.path}/status`)).body.data;
  list = async (): Promise<ListedRecording[]> => (await this.api.get(`${this.path}/recordings`)).body.data;

  /** @throws if the start is refused */
  async started(options?: object): Promise<string> {
    const { status, body, text } = await this.start(options);
    if (status !== 200) throw new Error(`not recorded: ${status} ${text}`);
    return body.data.egressId;
  }

  /** Waits until the list has exactly these statuses, in this order. */
  async reaches(statuses: string[], timeoutMs?: number): Promise<ListedRecording[]> {
    return eventually(async () => {
      const list = await this.list();
      const found = list.map(({ status }) => status).join(' ');
      if (found !== statuses.join(' '))
        throw new Error(`${this.roomId} has recordings that are ${found || 'none'}, not ${statuses.join(' ')}`);
      return list;
    }, timeoutMs);
  }

  /** A complete recording: its film exists, and the class continues. */
  async recorded(): Promise<string> {
    const before = (await this.list()).map(({ status }) => status);
    const egressId = await this.started();
    await this.reaches([...before, 'ACTIVE']);
    await this.stop();
    await this.reaches([...before, 'COMPLETED']);
    return egressId;
  }

  /**
   * The watchdog's waiting times are in real time. This shifts the times in the rows, as if `seconds` had passed for the room's
   * recordings.
   */
  async age(seconds: number): Promise<void> {
    await this.stack.rows(
      `UPDATE recording.recordings SET look_at = now(), missing_since = missing_since - $2 * interval '1 s',
              requested_at = requested_at - $2 * interval '1 s', attempted_at = attempted_at - $2 * interval '1 s',
              ended_at = ended_at - $2 * interval '1 s'
        WHERE sid = $1 AND look_at IS NOT NULL`,
      [this.sid, seconds],
    );
  }

  rows(): Promise<RecordingState[]> {
    return recordingsOf(this.stack, this.sid);
  }

  private get path() {
    return `/v1/room/${this.roomId}` as const;
  }
}
