import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { DueAccountsRepository } from './due-accounts.repository.js';
import { RollUp } from './roll-up.js';
import { RollUpTrigger } from './roll-up.trigger.js';

@Module({
  imports: [AccountsModule, ChargingModule, LedgerModule, MeteringModule, PlansModule],
  providers: [DueAccountsRepository, RollUp, RollUpTrigger],
  exports: [RollUp],
})
export class RollUpModule {}
