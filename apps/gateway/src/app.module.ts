import { Module, type DynamicModule } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AgentController, ClassroomTutorController, TutorController } from './answers/ai.controller.js';
import { AnswerStream } from './answers/send-answer.js';
import { InputUploads } from './answers/input-uploads.js';
import { ApiKeyDirectory, CredentialDirectory } from './authentication/credential-directory.js';
import { AuditTrail } from './authentication/audit-trail.js';
import { Authentication, Operators, SignedCallers } from './authentication/authentication.js';
import { BillingPlanCheck, NamedOrganization, OrganizationDirectory } from './authentication/organization-directory.js';
import { CredentialUses, OrganizationCaller } from './authentication/organization-caller.js';
import { DashboardSessions, DashboardTokens } from './authentication/dashboard-tokens.js';
import { BillController, ReportsController } from './answers/billing.controller.js';
import type { GatewayConfig } from './config.js';
import {
  ConnectionsController,
  DashboardCodes,
  DashboardController,
  DashboardTokensController,
  RetentionEffectController,
} from './dashboard/dashboard.controller.js';
import { EventsController, FollowHistory, HistoryReader, PermissionWatch } from './answers/events.controller.js';
import { ClassPages } from './http/class-pages.js';
import { ClassroomCors, Drain } from './http/lifecycle.js';
import { LongAnswers } from './http/long-answers.js';
import { ReplyCache } from './http/reply-cache.js';
import { CacheRedis } from './limits/cache-redis.js';
import { FailedAuthenticationLimit } from './limits/failed-authentication-limit.js';
import { EventStreamLimit, InProgressLimit, LargeBodies } from './limits/in-progress-limit.js';
import { AddressLimit, OrganizationLimit, PersonLimit, RateLimit } from './limits/rate-limit.js';
import { BrandingController } from './media/branding.controller.js';
import { PictureProxy, ServedPictures, UploadedLogos } from './media/picture-proxy.js';
import { PlayerController } from './media/player.controller.js';
import { OperationsController } from './http/operations.controller.js';
import { ClassroomController, JoinHookCheck } from './rooms/classroom.controller.js';
import { EngagementController, RoomsController } from './rooms/rooms.controller.js';
import { FilmController, PageController } from './rooms/page.controller.js';
import { LiveKitWebhooks } from './rooms/livekit-webhooks.js';
import { HealthCheck, HealthController, SystemController } from './site/health.controller.js';

@Module({})
export class AppModule {
  static forRoot(config: GatewayConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forRoot(config), MessagingModule.forRoot({ name: 'gateway', config }), StorageModule.forRoot(config)],
      controllers: [
        AgentController,
        BillController,
        BrandingController,
        ClassroomController,
        ClassroomTutorController,
        ConnectionsController,
        DashboardController,
        DashboardTokensController,
        EngagementController,
        EventsController,
        FilmController,
        HealthController,
        OperationsController,
        PageController,
        PlayerController,
        ReportsController,
        RetentionEffectController,
        RoomsController,
        SystemController,
        TutorController,
      ],
      providers: [
        // limits
        AddressLimit,
        CacheRedis,
        EventStreamLimit,
        FailedAuthenticationLimit,
        InProgressLimit,
        LargeBodies,
        OrganizationLimit,
        PersonLimit,
        RateLimit,
        // authentication
        ApiKeyDirectory,
        AuditTrail,
        Authentication,
        BillingPlanCheck,
        CredentialDirectory,
        CredentialUses,
        DashboardSessions,
        DashboardTokens,
        NamedOrganization,
        Operators,
        OrganizationCaller,
        OrganizationDirectory,
        SignedCallers,
        // http
        AllowedOrigins,
        ClassPages,
        ClassroomCors,
        Drain,
        LongAnswers,
        ReplyCache,
        // media
        PictureProxy,
        ServedPictures,
        UploadedLogos,
        // rooms
        JoinHookCheck,
        LiveKitWebhooks,
        // ai
        AnswerStream,
        InputUploads,
        // dashboard
        DashboardCodes,
        // events
        FollowHistory,
        HistoryReader,
        PermissionWatch,
        // site
        HealthCheck,
      ],
    };
  }
}
