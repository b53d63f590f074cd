import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import type { OrganizationConfig } from './config.js';
import { OrganizationEntity } from './organizations/organization.entity.js';
import { OrganizationsModule } from './organizations/organizations.module.js';

@Module({})
export class AppModule {
  static forRoot(config: OrganizationConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'organization', config, entities: [OrganizationEntity] }),
        MessagingModule.forRoot({ name: 'organization', service: 'organization', config }),
        OrganizationsModule,
      ],
    };
  }
}
