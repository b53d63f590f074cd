import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { ModerationModule } from '../moderation/moderation.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { Capacity } from './capacity.js';
import { CreateRoom } from './create-room.js';
import { IssueJoinToken } from './issue-join-token.js';
import { JoinRoom } from './join-room.js';
import { Standings } from './standings.js';

@Module({
  imports: [LiveKitModule, ModerationModule, RoomsModule],
  providers: [Capacity, CreateRoom, IssueJoinToken, JoinRoom, Standings],
  exports: [Capacity, CreateRoom],
})
export class AdmissionModule {}
