import { Module } from '@nestjs/common';
import { ResealKeys } from './reseal-keys.js';
import { SettingsRepository } from './settings.repository.js';
import { SettingsRpc } from './settings.rpc.js';
import { UpdateSettings } from './update-settings.js';

@Module({
  controllers: [SettingsRpc],
  providers: [ResealKeys, SettingsRepository, UpdateSettings],
  exports: [SettingsRepository],
})
export class SettingsModule {}
