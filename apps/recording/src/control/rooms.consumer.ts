import { Injectable } from '@nestjs/common';
import { CONSUMERS, roomCreated, roomFinished, roomUpdated, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Consumes } from '@classroom/messaging';
import { isRunning } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { RoomsRepository, type EndedRoom } from '../recordings/rooms.repository.js';
import { RetentionRule } from '../retention/retention-rule.js';
import { StopRecording } from './stop-recording.js';

/** The end of a class stops its recording and starts the retention of its files. Safe to repeat. */
@Injectable()
export class ApplyClassEnd {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly recordings: RecordingsRepository,
    private readonly stopRecording: StopRecording,
    private readonly retention: RetentionRule,
  ) {}

  async execute(room: EndedRoom): Promise<void> {
    const classEndedAt = new Date(room.endedAt);
    const running = await this.recordings.transaction(async (tx) => {
      await this.rooms.markEnded(tx, room);
      const all = await this.recordings.lockByRoom(tx, room.sid);
      // A repeated end changes nothing: the deadline may have been moved since the first one.
      for (const recording of all.filter((one) => one.classEndedAt === null)) {
        const deleteAt = await this.retention.deleteAt(recording.organizationId, classEndedAt, recording.completedAt, tx);
        await this.recordings.change(tx, recording, { classEndedAt, deleteAt });
      }
      return all.filter(isRunning);
    });
    for (const { recordingKey } of running) await this.stopRecording.stopInEndedRoom(recordingKey);
  }
}

@Injectable()
export class RoomsConsumer {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly applyClassEnd: ApplyClassEnd,
  ) {}

  @Consumes<EventEnvelope>(CONSUMERS.recordingRooms, { concurrency: 8, keyOf: ({ subject }) => subject })
  async handle({ type, data }: EventEnvelope): Promise<void> {
    if (type === roomCreated.type) return this.handleCreated(data as EventData<typeof roomCreated>);
    if (type === roomUpdated.type) return this.handleUpdated(data as EventData<typeof roomUpdated>);
    if (type === roomFinished.type) return this.applyClassEnd.execute(data as EventData<typeof roomFinished>);
  }

  /** Most rooms are not recorded automatically: nothing about these is stored. */
  private async handleCreated({ autoRecord, createdAt, ...room }: EventData<typeof roomCreated>): Promise<void> {
    if (autoRecord) await this.rooms.saveAutoRecord(room, autoRecord, createdAt);
  }

  private async handleUpdated({ autoRecord, updatedAt, ...room }: EventData<typeof roomUpdated>): Promise<void> {
    if (autoRecord !== undefined) await this.rooms.saveAutoRecord(room, autoRecord, updatedAt);
  }
}
