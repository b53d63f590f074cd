import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { CatchUp } from './catch-up.js';
import { CatchUpRepository } from './catch-up.repository.js';
import { FinishedRooms } from './finished-rooms.js';
import { FinishedRoomsRepository } from './finished-rooms.repository.js';
import { FoldEvents } from './fold-events.js';

@Module({
  imports: [MeteringModule, PlansModule],
  providers: [CatchUp, CatchUpRepository, FinishedRooms, FinishedRoomsRepository, FoldEvents],
})
export class FactsModule {}
