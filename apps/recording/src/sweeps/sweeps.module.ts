import { Module } from '@nestjs/common';
import { ClassEndModule } from '../class-end/class-end.module.js';
import { FinalizationModule } from '../finalization/finalization.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { BucketAudit } from './bucket-audit.js';
import { DueRecordings } from './due-recordings.js';
import { RecordingGauges } from './recording-gauges.js';
import { SweepsRepository } from './sweeps.repository.js';

@Module({
  imports: [ClassEndModule, FinalizationModule, RecordingsModule, RetentionModule],
  providers: [BucketAudit, DueRecordings, RecordingGauges, SweepsRepository],
})
export class SweepsModule {}
