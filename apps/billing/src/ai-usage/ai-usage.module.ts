import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AiMetersRepository } from './ai-meters.repository.js';
import { ChargeAiUsage } from './charge-ai-usage.js';

@Module({
  imports: [AccountsModule, ChargingModule, LedgerModule, MeteringModule, PlansModule],
  providers: [AiMetersRepository, ChargeAiUsage],
})
export class AiUsageModule {}
