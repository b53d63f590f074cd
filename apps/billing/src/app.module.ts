import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { PlatformModule } from '@classroom/platform';
import { AiUsageModule } from './ai-usage/ai-usage.module.js';
import { AuditModule } from './audit/audit.module.js';
import type { BillingConfig } from './config.js';
import { CreditsModule } from './credits/credits.module.js';
import { CyclesModule } from './cycles/cycles.module.js';
import { FactsModule } from './facts/facts.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { RollUpModule } from './roll-up/roll-up.module.js';
import { entities } from './schema/sql.js';

@Module({})
export class AppModule {
  static forRoot(config: BillingConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        PersistenceModule.forRoot({ schema: 'billing', config, entities }),
        MessagingModule.forRoot({ name: 'billing', service: 'billing', config }),
        AiUsageModule,
        AuditModule,
        CreditsModule,
        CyclesModule,
        FactsModule,
        PrivacyModule,
        ReportsModule.forRoot(config),
        RollUpModule,
      ],
    };
  }
}
