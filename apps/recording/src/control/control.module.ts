import { Module } from '@nestjs/common';
import { EngineModule } from '../engine/engine.module.js';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { RetentionModule } from '../retention/retention.module.js';
import { MergeRecordings } from './merge-recordings.js';
import { ResumeRecording } from './resume-recording.js';
import { StartRecording } from './start-recording.js';
import { StopRecording } from './stop-recording.js';

@Module({
  imports: [EngineModule, RecordingsModule, RetentionModule],
  providers: [MergeRecordings, ResumeRecording, StartRecording, StopRecording],
  exports: [StartRecording, StopRecording],
})
export class ControlModule {}
