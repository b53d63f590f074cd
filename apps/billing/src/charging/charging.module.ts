import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CyclesModule } from '../cycles/cycles.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { ChargeMeters } from './charge-meters.js';
import { CloseCycles } from './close-cycles.js';
import { PublishReachedBudgets } from './publish-reached-budgets.js';

@Module({
  imports: [AccountsModule, CyclesModule, LedgerModule, MeteringModule],
  providers: [ChargeMeters, CloseCycles, PublishReachedBudgets],
  exports: [ChargeMeters, CloseCycles, PublishReachedBudgets],
})
export class ChargingModule {}
