import { Injectable } from '@nestjs/common';
import { CONSUMERS, roomRpc, type EventEnvelope, type RecordingFact, type RpcInput } from '@classroom/contracts';
import { Consumes, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { ClassChanges } from './class-states.js';
import { ReconcileRoom } from '../presence/presence-reconciler.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RoomRecordingsRepository, type RecordingProjection } from './class-states.repository.js';
import { settingsOf } from '../schema/settings.js';

/** Stores what the recording service publishes of a room's recordings, for the room's status and for the participants in class. */
@Injectable()
export class RoomRecordings {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly reads: RoomReadsRepository,
    private readonly recordings: RoomRecordingsRepository,
    private readonly changes: ClassChanges,
    private readonly reconcileRoom: ReconcileRoom,
  ) {}

  @Handles(roomRpc.noteRecording)
  async noteRecording(input: RpcInput<typeof roomRpc.noteRecording>) {
    await this.apply(input);
    return { isLive: (await this.reads.findBySid(input.sid))?.state === 'live' };
  }

  @Consumes<EventEnvelope<RecordingFact>>(CONSUMERS.roomRecording, { concurrency: 4, keyOf: ({ subject }) => subject })
  async applyFact({ data }: EventEnvelope<RecordingFact>): Promise<void> {
    // A merged one does not record the class.
    if (!data.isMerged) await this.apply(data);
  }

  /**
   * The recording's version makes reordered and repeated facts harmless. Where consent is asked for at a recording, its start mutes who has
   * not consented, and its end ends that. If this fails, the presence reconciler corrects it.
   */
  private async apply({ sid, egressId, status, version, startedAt, isPaused }: RecordingProjection): Promise<void> {
    const changesRights = await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room || !(await this.recordings.save(tx, { sid, egressId, status, version, startedAt, isPaused }))) return false;
      const isRecording = await this.rooms.deriveRecording(tx, sid);
      await this.changes.record(tx, sid, 'recording');
      return settingsOf(room).consent.recording?.ask === 'recording' && isRecording !== room.isRecording;
    });
    if (changesRights) void this.reconcileRoom.soon(sid);
  }
}
