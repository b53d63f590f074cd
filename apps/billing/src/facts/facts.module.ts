import { Module } from '@nestjs/common';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { CatchUp } from './catch-up.js';
import { FinishedRooms } from './finished-rooms.js';
import { FoldEvents } from './fold-events.js';

@Module({
  imports: [MeteringModule, PlansModule],
  providers: [CatchUp, FinishedRooms, FoldEvents],
})
export class FactsModule {}
