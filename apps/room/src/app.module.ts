import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule, redisOptions } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { ApiModule } from './api/api.module.js';
import type { RoomConfig } from './config.js';
import { LifecycleModule } from './lifecycle/lifecycle.module.js';
import { RoomSweepJobs } from './lifecycle/room-sweep.jobs.js';

@Module({})
export class AppModule {
  static forRoot(config: RoomConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'room', config }),
        MessagingModule.forRoot({ name: 'room', service: 'room', config }),
        BullModule.forRoot({ connection: redisOptions(config.REDIS_URL), prefix: 'bull' }),
        ApiModule,
        LifecycleModule,
      ],
      // A process without the worker's role takes no jobs.
      providers: config.ROLES.includes('worker') ? [RoomSweepJobs] : [],
    };
  }
}
