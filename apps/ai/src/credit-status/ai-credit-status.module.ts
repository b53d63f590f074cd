import { Module } from '@nestjs/common';
import { CONSUMERS } from '@classroom/contracts';
import { CreditStatusModule } from '@classroom/messaging';

@Module({
  imports: [CreditStatusModule.forRoot({ consumer: CONSUMERS.aiCreditStatus, refusedBy: 'isExhausted', whenUnknown: 'ask' })],
  exports: [CreditStatusModule],
})
export class AiCreditStatusModule {}
