import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { GetParticipant } from './get-participant.js';
import { ListParticipants } from './list-participants.js';
import { ListRooms } from './list-rooms.js';
import { ParticipantListRepository } from './participant-list.repository.js';
import { RoomGauges } from './room-gauges.js';
import { RoomListRepository } from './room-list.repository.js';
import { RoomTotalsRepository } from './room-totals.repository.js';
import { SummarizeRoom } from './summarize-room.js';

@Module({
  imports: [LiveKitModule, PresenceModule, RoomsModule],
  providers: [
    GetParticipant,
    ListParticipants,
    ListRooms,
    ParticipantListRepository,
    RoomGauges,
    RoomListRepository,
    RoomTotalsRepository,
    SummarizeRoom,
  ],
})
export class ReportsModule {}
