import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { Announcer } from './announcements/announcer.js';
import { CaptureDesk } from './captures/capture-desk.js';
import { Completion } from './captures/completion.js';
import { Slots } from './captures/slots.js';
import type { RecorderConfig } from './config.js';
import { FilmCutter } from './film/film-cutter.js';
import { FileDelivery } from './film/file-delivery.js';
import { HealthController } from './health.controller.js';
import { Tools } from './tools.js';

@Module({})
export class AppModule {
  static forRoot(config: RecorderConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forRoot(config), MessagingModule.forRoot({ name: 'recorder', config }), StorageModule.forRoot(config)],
      controllers: [HealthController],
      providers: [Tools, Slots, Announcer, FilmCutter, FileDelivery, Completion, CaptureDesk],
    };
  }
}
