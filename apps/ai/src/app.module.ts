import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AiModule } from './ai.module.js';
import type { AiConfig } from './config.js';

@Module({})
export class AppModule {
  static forRoot(config: AiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        // Five hundred may ask in the same second.
        PersistenceModule.forRoot({ schema: 'ai', config, patienceMs: 10_000 }),
        MessagingModule.forRoot({ name: 'ai', service: 'ai', config }),
        StorageModule.forRoot(config),
        AiModule.forRoot(config),
      ],
    };
  }
}
