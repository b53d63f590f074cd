import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule, redisOptions } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import type { RecordingConfig } from './config.js';
import { RecordingModule } from './recording.module.js';

@Module({})
export class AppModule {
  static forRoot(config: RecordingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'recording', config }),
        MessagingModule.forRoot({ name: 'recording', service: 'recording', config }),
        StorageModule.forRoot(config),
        BullModule.forRoot({ connection: redisOptions(config.REDIS_URL), prefix: 'bull' }),
        RecordingModule.forRoot(config),
      ],
    };
  }
}
