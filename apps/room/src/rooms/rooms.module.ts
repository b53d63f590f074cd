import { Module } from '@nestjs/common';
import { LiveKitModule } from '../livekit/livekit.module.js';
import { RosterModule } from '../roster/roster.module.js';
import { AddConnectionPartitions } from './add-connection-partitions.js';
import { FindRoom } from './find-room.js';
import { LeasesRepository } from './leases.repository.js';
import { Leases } from './leases.js';
import { LiveRoomsRepository } from './live-rooms.repository.js';
import { RoomDeadlines } from './room-deadlines.js';
import { RoomReadsRepository } from './room-reads.repository.js';
import { RoomsRepository } from './rooms.repository.js';

@Module({
  imports: [LiveKitModule, RosterModule],
  providers: [
    AddConnectionPartitions,
    FindRoom,
    Leases,
    LeasesRepository,
    LiveRoomsRepository,
    RoomDeadlines,
    RoomReadsRepository,
    RoomsRepository,
  ],
  exports: [Leases, LiveRoomsRepository, RoomDeadlines, RoomReadsRepository, RoomsRepository],
})
export class RoomsModule {}
