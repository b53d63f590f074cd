import { Processor, WorkerHost } from '@nestjs/bullmq';
import { inSpan, SpanKind } from '@classroom/platform';
import type { Job } from 'bullmq';
import { FinishDueRoom } from './finish-due-room.js';
import { ROOM_SWEEP_QUEUE, type FinishDueJob } from './room-deadlines.js';

@Processor(ROOM_SWEEP_QUEUE, { concurrency: 8, autorun: true })
export class RoomSweepJobs extends WorkerHost {
  constructor(private readonly finishDueRoom: FinishDueRoom) {
    super();
  }

  async process(job: Job<FinishDueJob>): Promise<void> {
    const attributes = { 'messaging.system': 'bullmq', 'messaging.destination.name': ROOM_SWEEP_QUEUE };
    await inSpan(`process ${ROOM_SWEEP_QUEUE}`, { kind: SpanKind.CONSUMER, attributes }, () =>
      this.finishDueRoom.execute(job.data.sid),
    );
  }
}
