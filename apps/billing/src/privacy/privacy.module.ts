import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MeteringModule } from '../metering/metering.module.js';
import { EraseFromSessions } from './erase-from-sessions.js';
import { EraseOrganizationSessions } from './erase-organization-sessions.js';
import { StaleCopiesRepository } from '../session-store/stale-copies.repository.js';
import { ExportedRepository } from './exported.repository.js';
import { FactsProgress } from './facts-progress.js';
import { AddressExpiry, PresenceExpiry } from './expiries.js';
import { SettledClassesRepository } from './settled-classes.repository.js';

@Module({
  imports: [MeteringModule],
  providers: [SettledClassesRepository, StaleCopiesRepository],
  exports: [MeteringModule, SettledClassesRepository, StaleCopiesRepository],
})
export class PersonalDataModule {}

@Module({
  imports: [
    LedgerModule,
    PersonalDataModule,
    RetentionSweepModule.forRoot({ rules: [AddressExpiry, PresenceExpiry], imports: [PersonalDataModule] }),
  ],
  providers: [EraseFromSessions, EraseOrganizationSessions, ExportedRepository, FactsProgress],
})
export class PrivacyModule {}
