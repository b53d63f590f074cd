import { Module } from '@nestjs/common';
import { GetSettings } from './get-settings.js';
import { ResealKeys } from './reseal-keys.js';
import { SettingsRepository } from './settings.repository.js';
import { UpdateSettings } from './update-settings.js';

@Module({
  providers: [GetSettings, ResealKeys, SettingsRepository, UpdateSettings],
  exports: [SettingsRepository],
})
export class SettingsModule {}
