import { Module } from '@nestjs/common';
import { BucketsModule } from '../buckets/buckets.module.js';
import { CopiesModule } from '../copies/copies.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { AdoptCopies } from './adopt-copies.js';
import { CopyGauges } from './copy-gauges.js';
import { CopyRecording } from './copy-recording.js';
import { DueCopies } from './due-copies.js';

@Module({
  imports: [BucketsModule, CopiesModule, RecordingsModule],
  providers: [AdoptCopies, CopyGauges, CopyRecording, DueCopies],
  exports: [CopyRecording],
})
export class CopyingModule {}
