import { Module } from '@nestjs/common';
import { CopiesModule } from '../copies/copies.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { FinalizeRecording } from './finalize-recording.js';

@Module({
  imports: [CopiesModule, RecordingsModule, RetentionModule, RoomsModule],
  providers: [FinalizeRecording],
  exports: [FinalizeRecording],
})
export class FinalizationModule {}
