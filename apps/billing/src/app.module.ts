import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule, redisOptions } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { BillingModule } from './billing.module.js';
import type { BillingConfig } from './config.js';

@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'billing', config }),
        MessagingModule.forRoot({ name: 'billing', service: 'billing', config }),
        BullModule.forRoot({ connection: redisOptions(config.REDIS_URL), prefix: 'bull' }),
        BillingModule.forRoot(config),
      ],
    };
  }
}
