import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { CapturesModule } from './captures/captures.module.js';
import type { RecorderConfig } from './config.js';

@Module({})
export class AppModule {
  static forRoot(config: RecorderConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        MessagingModule.forRoot({ name: 'recorder', service: 'recorder', hasOutbox: false, config }),
        StorageModule.forRoot(config),
        CapturesModule,
      ],
    };
  }
}
