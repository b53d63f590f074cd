import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { CopiesModule } from '../copies/copies.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { CountOldRecordings } from './count-old-recordings.js';
import { DeleteFiles } from './delete-files.js';
import { EraseRecordings } from './erase-recordings.js';
import { ExportedRepository } from './exported.repository.js';
import { HoldRecording } from './hold-recording.js';
import { LateFile } from './late-file.js';
import { OrganizationHours } from './organization-hours.js';
import { RetentionHoursRepository } from './retention-hours.repository.js';
import { RetentionRule } from './retention-rule.js';

@Module({ providers: [RetentionHoursRepository], exports: [RetentionHoursRepository] })
class RetentionHoursModule {}

@Module({
  imports: [
    CopiesModule,
    RecordingsModule,
    RetentionHoursModule,
    RetentionSweepModule.forRoot({ rules: [OrganizationHours], imports: [RecordingsModule, RetentionHoursModule] }),
  ],
  providers: [CountOldRecordings, DeleteFiles, EraseRecordings, ExportedRepository, HoldRecording, LateFile, RetentionRule],
  exports: [DeleteFiles, LateFile, RetentionRule],
})
export class RetentionModule {}
