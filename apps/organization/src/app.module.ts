import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import type { OrganizationConfig } from './config.js';
import { DeadLettersModule } from './dead-letters/dead-letters.module.js';
import { DomainsModule } from './domains/domains.module.js';
import { ErasuresModule } from './erasures/erasures.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { JoinHookModule } from './join-hook/join-hook.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { entities } from './schema/sql.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({})
export class AppModule {
  static forRoot(config: OrganizationConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'organization', config, entities }),
        MessagingModule.forRoot({ name: 'organization', service: 'organization', config }),
        StorageModule.forRoot(config),
        AuditModule,
        OrganizationsModule,
        ApiKeysModule,
        DeadLettersModule,
        DomainsModule,
        ErasuresModule,
        ExportsModule,
        JoinHookModule,
        WebhooksModule,
      ],
    };
  }
}
