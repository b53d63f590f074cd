import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { ClassEndModule } from './class-end/class-end.module.js';
import type { RecordingConfig } from './config.js';
import { ControlModule } from './control/control.module.js';
import { BucketsModule } from './buckets/buckets.module.js';
import { CopyingModule } from './copying/copying.module.js';
import { DownloadsModule } from './downloads/downloads.module.js';
import { EgressModule } from './egress/egress.module.js';
import { FinalizationModule } from './finalization/finalization.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SweepsModule } from './sweeps/sweeps.module.js';
import { WatchdogModule } from './watchdog/watchdog.module.js';
import { entities } from './schema/sql.js';

@Module({})
export class AppModule {
  static forRoot(config: RecordingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'recording', config, entities }),
        MessagingModule.forRoot({ name: 'recording', service: 'recording', config }),
        StorageModule.forRoot(config),
        BucketsModule,
        ClassEndModule,
        ControlModule,
        CopyingModule,
        DownloadsModule,
        EgressModule,
        FinalizationModule,
        RetentionModule,
        SweepsModule,
        WatchdogModule,
      ],
    };
  }
}
