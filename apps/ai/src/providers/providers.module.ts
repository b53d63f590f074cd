import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { Providers } from './providers.js';

@Module({
  imports: [SettingsModule],
  providers: [Providers],
  exports: [Providers],
})
export class ProvidersModule {}
