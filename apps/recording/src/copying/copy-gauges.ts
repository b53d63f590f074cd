import { Injectable } from '@nestjs/common';
import { Clock, observedGauges } from '@classroom/platform';
import { CopiesRepository } from '../copies/copies.repository.js';
import { COPY_QUEUE } from './copy.processor.js';

const GAUGES = {
  classroom_recording_pending_copies: 'Recordings whose copy to the bucket of their organization waits or runs',
  classroom_job_overdue_seconds: 'How late the job is that has waited longest, by queue',
};

@Injectable()
export class CopyGauges {
  constructor(copies: CopiesRepository, clock: Clock) {
    observedGauges(GAUGES, async () => {
      const now = clock.now();
      const { pending = 0, dueAt = null } = (await copies.summarize(now)) ?? {};
      const late = dueAt === null ? 0 : (now.getTime() - dueAt.getTime()) / 1000;
      return [
        { name: 'classroom_recording_pending_copies', value: pending },
        { name: 'classroom_job_overdue_seconds', value: Math.max(late, 0), attributes: { queue: COPY_QUEUE } },
      ];
    });
  }
}
