import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule, redisOptions } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import type { RoomConfig } from './config.js';
import { RoomsModule } from './rooms/rooms.module.js';

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
        RoomsModule.forRoot(config),
      ],
    };
  }
}
