import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AccountsRpc } from './accounts.rpc.js';
import { ExplainEntry } from './explain-entry.js';
import { LedgerRpc } from './ledger.rpc.js';
import { PostCredits } from './post-credits.js';

@Module({
  imports: [AccountsModule, LedgerModule, MeteringModule, PlansModule],
  controllers: [AccountsRpc, LedgerRpc],
  providers: [ExplainEntry, PostCredits],
})
export class CreditsModule {}
