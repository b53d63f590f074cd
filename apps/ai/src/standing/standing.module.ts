import { Module } from '@nestjs/common';
import { StandingEvents } from './standing.events.js';
import { Standings } from './standings.js';

@Module({
  providers: [StandingEvents, Standings],
  exports: [Standings],
})
export class StandingModule {}
