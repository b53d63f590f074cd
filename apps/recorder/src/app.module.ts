import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { CaptureSupervisor } from './captures/capture-supervisor.js';
import { Completion } from './captures/completion.js';
import { EgressEventPublisher } from './captures/egress-event-publisher.js';
import { Slots } from './captures/slots.js';
import type { RecorderConfig } from './config.js';
import { FileMerger, Mp4Muxer } from './encoding/make-file.js';
import { FileUploader } from './encoding/file-uploader.js';
import { MediaPrograms } from './encoding/media-programs.js';
import { Tools } from './captures/tools.js';

@Module({})
export class AppModule {
  static forRoot(config: RecorderConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        MessagingModule.forRoot({ name: 'recorder', service: 'recorder', hasOutbox: false, config }),
        StorageModule.forRoot(config),
      ],
      providers: [CaptureSupervisor, Completion, EgressEventPublisher, FileMerger, FileUploader, MediaPrograms, Mp4Muxer, Slots, Tools],
    };
  }
}
