import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { EngagementRepository } from './engagement.repository.js';
import { ExplainQuality } from './explain-quality.js';
import { ListEngagement } from './list-engagement.js';
import { ParticipantMinutesRepository } from './participant-minutes.repository.js';
import { RecordMinutes } from './record-minutes.js';
import { SummarizeEngagement } from './summarize-engagement.js';

@Module({
  imports: [LiveKitModule, RoomsModule],
  providers: [EngagementRepository, ExplainQuality, ListEngagement, ParticipantMinutesRepository, RecordMinutes, SummarizeEngagement],
  exports: [ParticipantMinutesRepository, SummarizeEngagement],
})
export class EngagementModule {}
