import { Module } from '@nestjs/common';
import { RetentionSweepModule } from '@classroom/messaging';
import { MeteringModule } from '../metering/metering.module.js';
import { EraseFromSessions } from './erase-from-sessions.js';
import { ExportedRepository } from './exported.repository.js';
import { AddressExpiry, PresenceExpiry } from './expiries.js';
import { SettledClassesRepository } from './settled-classes.repository.js';

@Module({ imports: [MeteringModule], providers: [SettledClassesRepository], exports: [MeteringModule, SettledClassesRepository] })
export class PersonalDataModule {}

@Module({
  imports: [PersonalDataModule, RetentionSweepModule.forRoot({ rules: [AddressExpiry, PresenceExpiry], imports: [PersonalDataModule] })],
  providers: [EraseFromSessions, ExportedRepository],
})
export class PrivacyModule {}
