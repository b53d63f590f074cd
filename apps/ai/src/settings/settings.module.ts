import { Module } from '@nestjs/common';
import { GetAiSettings } from './get-ai-settings.js';
import { ResealKeys } from './reseal-keys.js';
import { SettingsRepository } from './settings.repository.js';
import { UpdateAiSettings } from './update-ai-settings.js';

@Module({
  providers: [GetAiSettings, ResealKeys, SettingsRepository, UpdateAiSettings],
  exports: [SettingsRepository],
})
export class SettingsModule {}
