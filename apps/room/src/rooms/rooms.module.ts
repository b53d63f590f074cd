import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { FindRoom } from './find-room.js';
import { Leases } from './leases.js';
import { ROOM_SWEEP_QUEUE, RoomDeadlines } from './room-deadlines.js';
import { RoomsRepository } from './rooms.repository.js';

@Module({
  imports: [LiveKitModule, BullModule.registerQueue({ name: ROOM_SWEEP_QUEUE })],
  providers: [FindRoom, Leases, RoomDeadlines, RoomsRepository],
  exports: [Leases, RoomDeadlines, RoomsRepository],
})
export class RoomsModule {}
