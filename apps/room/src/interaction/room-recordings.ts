import { Injectable } from '@nestjs/common';
import { CONSUMERS, roomRpc, type EventEnvelope, type RecordingFact, type RpcInput } from '@classroom/contracts';
import { Consumes, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { ClassChanges } from './class-changes.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

/** What the recording service says of a room's recordings, kept for the room's status and for those in class. */
@Injectable()
export class RoomRecordings {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly changes: ClassChanges,
  ) {}

  @Handles(roomRpc.noteRecording)
  async note(input: RpcInput<typeof roomRpc.noteRecording>) {
    await this.apply(input);
    return { isLive: (await this.rooms.findBySid(input.sid))?.state === 'live' };
  }

  @Consumes<EventEnvelope<RecordingFact>>(CONSUMERS.roomRecording, { concurrency: 4, keyOf: ({ subject }) => subject })
  hear({ data }: EventEnvelope<RecordingFact>): Promise<void> {
    return this.apply(data);
  }

  /** The recording's version makes order and doubles harmless. */
  private async apply({ sid, egressId, status, version, startedAt }: Pick<RecordingFact, 'sid' | 'egressId' | 'status' | 'version' | 'startedAt'>): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.rooms.lockBySid(tx, sid))) return;
      const changed = await tx.query(
        `INSERT INTO room_recordings (egress_id, sid, status, version, started_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (egress_id) DO UPDATE SET status = $3, version = $4, started_at = $5
           WHERE room_recordings.version < $4 RETURNING 1`,
        [egressId, sid, status, version, startedAt],
      );
      if (changed.length === 0) return;
      await tx.query(
        `UPDATE rooms SET is_recording = state <> 'finished' AND EXISTS (
           SELECT FROM room_recordings r WHERE r.sid = rooms.sid AND r.status IN ('STARTING', 'ACTIVE')) WHERE sid = $1`,
        [sid],
      );
      await this.changes.next(tx, sid, 'recording');
    });
  }
}
