import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ExplainAiUsage } from './explain-ai-usage.js';
import { ExplainEntry } from './explain-entry.js';
import { GetBalance } from './get-balance.js';
import { GetCreditAlerts } from './get-credit-alerts.js';
import { ListLedger } from './list-ledger.js';
import { ListUsage } from './list-usage.js';
import { PostCredits } from './post-credits.js';
import { SetCreditAlerts } from './set-credit-alerts.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  imports: [AccountsModule, ChargingModule, LedgerModule, MeteringModule, PlansModule],
  providers: [
    ExplainAiUsage,
    ExplainEntry,
    GetBalance,
    GetCreditAlerts,
    ListLedger,
    ListUsage,
    PostCredits,
    SetCreditAlerts,
    UsageRepository,
  ],
})
export class CreditsModule {}
