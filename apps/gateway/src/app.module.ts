import { Module, type DynamicModule } from '@nestjs/common';
import { AllowedOrigins, MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AgentController } from './ai/agent.controller.js';
import { AiSettingsController } from './ai/ai-settings.controller.js';
import { AnswerStream } from './ai/answer-stream.js';
import { ClassroomTutorController } from './ai/classroom-tutor.controller.js';
import { InputClaims } from './ai/input-claims.js';
import { TutorController } from './ai/tutor.controller.js';
import { OrganizationApiKeysController } from './admin/api-keys.controller.js';
import { DashboardTokensController } from './admin/dashboard-tokens.controller.js';
import { CreditsController } from './admin/credits.controller.js';
import { OrganizationsController } from './admin/organizations.controller.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeyDirectory } from './authentication/api-key-directory.js';
import { ApiKeyUses } from './authentication/api-key-uses.js';
import { Authentication } from './authentication/authentication.js';
import { DashboardTokens } from './authentication/dashboard-tokens.js';
import { OrganizationCaller } from './authentication/organization-caller.js';
import { OrganizationDirectory } from './authentication/organization-directory.js';
import { PlanGuard } from './authentication/plan-guard.js';
import { BillingController } from './billing/billing.controller.js';
import { ReportsController } from './billing/reports.controller.js';
import { CsvExport } from './billing/csv-export.js';
import { ClassroomController } from './classroom/classroom.controller.js';
import { ClassroomCors } from './http/cors.js';
import { InteractionController } from './classroom/interaction.controller.js';
import { PageController } from './classroom/page.controller.js';
import type { GatewayConfig } from './config.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { ReplyCache } from './http/reply-cache.js';
import { AddressLimit } from './limits/address-limit.js';
import { CacheRedis } from './limits/cache-redis.js';
import { OrganizationLimit } from './limits/organization-limit.js';
import { PersonLimit } from './limits/person-limit.js';
import { Refusals } from './limits/refusals.js';
import { HealthCheck } from './health/health-check.js';
import { HealthController } from './health/health.controller.js';
import { Drain } from './http/drain.js';
import { WebhookController } from './livekit/webhook.controller.js';
import { RecordingsController } from './recordings/recordings.controller.js';
import { BackendController } from './rooms/backend.controller.js';
import { RoomsController } from './rooms/rooms.controller.js';
import { PlayerController } from './videos/player.controller.js';
import { VideosController } from './videos/videos.controller.js';
import { EventsController } from './webhooks/events.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forRoot(config), MessagingModule.forRoot({ name: 'gateway', config }), StorageModule.forRoot(config)],
      controllers: [
        RoomsController,
        BackendController,
        RecordingsController,
        VideosController,
        PlayerController,
        BillingController,
        CreditsController,
        ReportsController,
        ClassroomController,
        InteractionController,
        PageController,
        AgentController,
        TutorController,
        ClassroomTutorController,
        AiSettingsController,
        OrganizationsController,
        OrganizationApiKeysController,
        DashboardTokensController,
        ApiKeysController,
        DashboardController,
        HealthController,
        WebhookController,
        WebhooksController,
        EventsController,
      ],
      providers: [
        CacheRedis,
        OrganizationLimit,
        PersonLimit,
        AddressLimit,
        Refusals,
        ReplyCache,
        CsvExport,
        AnswerStream,
        InputClaims,
        Authentication,
        OrganizationCaller,
        OrganizationDirectory,
        ApiKeyDirectory,
        ApiKeyUses,
        DashboardTokens,
        PlanGuard,
        AllowedOrigins,
        ClassroomCors,
        HealthCheck,
        Drain,
      ],
    };
  }
}
