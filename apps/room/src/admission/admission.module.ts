import { Module } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { CreditStatusModule } from '@classroom/messaging';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ModerationModule } from '../moderation/moderation.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { PresetsModule } from '../presets/presets.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RosterModule } from '../roster/roster.module.js';
import { Capacity } from './capacity.js';
import { CreateRoom } from './create-room.js';
import { DuplicateJoins } from './duplicate-joins.js';
import { IssueJoinToken } from './issue-join-token.js';
import { JoinRoom } from './join-room.js';

@Module({
  imports: [
    LiveKitModule,
    ModerationModule,
    ParticipantsModule,
    PresenceModule,
    PresetsModule,
    RoomsModule,
    RosterModule,
    // If billing does not answer, the room is created: an overdraft can be corrected later, a missed class cannot.
    CreditStatusModule.forRoot({ consumer: CONSUMERS.roomCreditStatus, refusedBy: 'isOverconsumed', whenUnknown: 'allow' }),
  ],
  providers: [Capacity, CreateRoom, DuplicateJoins, IssueJoinToken, JoinRoom],
  exports: [Capacity, CreateRoom, DuplicateJoins],
})
export class AdmissionModule {}
