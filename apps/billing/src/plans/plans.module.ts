import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CyclesModule } from '../cycles/cycles.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ApplyPlan } from './apply-plan.js';
import { EnsureAccount } from './ensure-account.js';
import { PlansRepository } from './plans.repository.js';

@Module({
  imports: [AccountsModule, ChargingModule, CyclesModule, LedgerModule],
  providers: [ApplyPlan, EnsureAccount, PlansRepository],
  exports: [ApplyPlan, EnsureAccount],
})
export class PlansModule {}
