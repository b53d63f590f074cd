import { Module, type DynamicModule } from '@nestjs/common';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AdminModule } from './admin/admin.module.js';
import { AiModule } from './ai/ai.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { BillingModule } from './billing/billing.module.js';
import { BrandingModule } from './branding/branding.module.js';
import { ClassroomModule } from './classroom/classroom.module.js';
import type { GatewayConfig } from './config.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { LiveKitModule } from './livekit/livekit.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PicturesModule } from './pictures/pictures.module.js';
import { RecordingsModule } from './recordings/recordings.module.js';
import { RoomsModule } from './rooms/rooms.module.js';
import { VideosModule } from './videos/videos.module.js';

@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(config),
        MessagingModule.forRoot({ name: 'gateway', config }),
        StorageModule.forRoot(config),
        AdminModule,
        AiModule,
        AuditModule,
        AuthenticationModule,
        BillingModule,
        BrandingModule,
        ClassroomModule,
        DashboardModule,
        EventsModule,
        HealthModule,
        HttpModule,
        LimitsModule,
        LiveKitModule,
        OperationsModule,
        PicturesModule,
        RecordingsModule,
        RoomsModule,
        VideosModule,
      ],
    };
  }
}
