import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AgentModule } from './agent/agent.module.js';
import type { AiConfig } from './config.js';
import { InputsModule } from './inputs/inputs.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { TutorModule } from './tutor/tutor.module.js';
import { UsageModule } from './usage/usage.module.js';
import { entities } from './schema/sql.js';

@Module({})
export class AppModule {
  static forRoot(config: AiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        // 500 participants may ask within one second, so a query may wait longer than usual for a database connection.
        PersistenceModule.forRoot({ schema: 'ai', config, entities, waitMs: 10_000 }),
        MessagingModule.forRoot({ name: 'ai', service: 'ai', config }),
        StorageModule.forRoot(config),
        AgentModule,
        InputsModule,
        PrivacyModule,
        SettingsModule,
        TutorModule,
        UsageModule,
      ],
    };
  }
}
