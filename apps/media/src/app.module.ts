import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { BoardModule } from './board/board.module.js';
import type { MediaConfig } from './config.js';
import { ConversionModule } from './conversion/conversion.module.js';
import { HttpModule } from './http/http.module.js';
import { LibraryModule } from './library/library.module.js';
import { TranscodingModule } from './transcoding/transcoding.module.js';
import { entities } from './schema/sql.js';

@Module({})
export class AppModule {
  static forRoot(config: MediaConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'media', config, entities }),
        MessagingModule.forRoot({ name: 'media', service: 'media', config }),
        StorageModule.forRoot(config),
        LibraryModule,
        ...(config.ROLES.includes('service') ? [HttpModule] : []),
        ...(config.ROLES.includes('worker') ? [TranscodingModule, ConversionModule, BoardModule] : []),
      ],
    };
  }
}
