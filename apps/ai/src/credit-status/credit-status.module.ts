import { Module } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { StandingsModule } from '@classroom/messaging';

@Module({
  imports: [StandingsModule.forRoot({ consumer: CONSUMERS.aiStanding, refusedBy: 'isExhausted', inDoubt: 'ask' })],
  exports: [StandingsModule],
})
export class CreditStatusModule {}
