import { Module } from '@nestjs/common';
import { Standings } from './standings.js';

@Module({
  providers: [Standings],
  exports: [Standings],
})
export class StandingModule {}
