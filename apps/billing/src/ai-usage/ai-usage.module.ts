import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ChargeAiUsage } from './charge-ai-usage.js';

@Module({
  imports: [AccountsModule, LedgerModule, PlansModule],
  providers: [ChargeAiUsage],
})
export class AiUsageModule {}
