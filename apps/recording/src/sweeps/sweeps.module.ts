import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { ClassEndModule } from '../class-end/class-end.module.js';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { FINALIZATION_QUEUE } from '../finalization/finalization.processor.js';
import { RETENTION_QUEUE } from '../retention/retention.processor.js';
import { BucketAudit } from './bucket-audit.js';
import { DueRecordings } from './due-recordings.js';
import { RecordingGauges } from './recording-gauges.js';
import { SweepsRepository } from './sweeps.repository.js';

@Module({
  imports: [
    ClassEndModule,
    FinalizationModule,
    RecordingsModule,
    RetentionModule,
    BullModule.registerQueue({ name: FINALIZATION_QUEUE }, { name: RETENTION_QUEUE }),
  ],
  providers: [BucketAudit, DueRecordings, RecordingGauges, SweepsRepository],
})
export class SweepsModule {}
