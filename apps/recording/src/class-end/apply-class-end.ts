import { Injectable } from '@nestjs/common';
import { StopRecording } from '../control/stop-recording.js';
import { isRunning } from '../recordings/recording.js';
import { RecordingsRepository } from '../recordings/recordings.repository.js';
import { RetentionRule } from '../retention/retention-rule.js';
import { RoomsRepository, type EndedRoom } from '../recordings/rooms.repository.js';

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
