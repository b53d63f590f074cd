import { Processor, WorkerHost } from '@nestjs/bullmq';
import { processJob } from '@classroom/messaging';
import type { Job } from 'bullmq';
import { AdvanceSchedule } from './advance-schedule.js';
import { FinishDueRoom } from './finish-due-room.js';
import { ROOM_SWEEP_QUEUE, type FinishDueJob } from '../rooms/room-deadlines.js';

@Processor(ROOM_SWEEP_QUEUE, { concurrency: 8, autorun: true })
export class RoomSweepProcessor extends WorkerHost {
  constructor(
    private readonly finishDueRoom: FinishDueRoom,
    private readonly advanceSchedule: AdvanceSchedule,
  ) {
    super();
  }

  async process(job: Job<FinishDueJob>): Promise<void> {
    const { sid } = job.data;
    await processJob(ROOM_SWEEP_QUEUE, async () => {
      await this.finishDueRoom.execute(sid);
      await this.advanceSchedule.execute(sid);
    });
  }
}
