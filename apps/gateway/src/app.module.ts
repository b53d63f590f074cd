import { Module, type DynamicModule } from '@nestjs/common';
import { AllowedOrigins } from '@classroom/http';
import { MessagingModule } from '@classroom/messaging';
import { PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { AgentController } from './ai/agent.controller.js';
import { AnswerStream } from './ai/answer-stream.js';
import { InputUploads } from './ai/input-uploads.js';
import { ClassroomTutorController, TutorController } from './ai/tutor.controller.js';
import { ApiKeyDirectory } from './authentication/api-key-directory.js';
import { AuditTrail } from './authentication/audit-trail.js';
import { Authentication } from './authentication/authentication.js';
import { BillingPlanCheck } from './authentication/billing-plan-check.js';
import { CredentialDirectory } from './authentication/credential-directory.js';
import { CredentialUses } from './authentication/credential-uses.js';
import { DashboardSessions } from './authentication/dashboard-sessions.js';
import { DashboardTokens } from './authentication/dashboard-tokens.js';
import { NamedOrganization } from './authentication/named-organization.js';
import { Operators } from './authentication/operators.js';
import { OrganizationCaller } from './authentication/organization-caller.js';
import { OrganizationDirectory } from './authentication/organization-directory.js';
import { SignedCallers } from './authentication/signed-callers.js';
import { BillController } from './billing/bill.controller.js';
import { ReportsController } from './billing/reports.controller.js';
import type { GatewayConfig } from './config.js';
import { ConnectionsController } from './dashboard/connections.controller.js';
import { DashboardCodes } from './dashboard/dashboard-codes.js';
import { DashboardTokensController } from './dashboard/dashboard-tokens.controller.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { RetentionEffectController } from './dashboard/retention-effect.controller.js';
import { EventsController } from './events/events.controller.js';
import { FollowHistory, HistoryReader } from './events/follow-history.js';
import { PermissionWatch } from './events/permission-watch.js';
import { ClassPages } from './http/class-pages.js';
import { ClassroomCors } from './http/cors.js';
import { Drain } from './http/drain.js';
import { LongAnswers } from './http/long-answers.js';
import { ReplyCache } from './http/reply-cache.js';
import { CacheRedis } from './limits/cache-redis.js';
import { FailedAuthenticationLimit } from './limits/failed-authentication-limit.js';
import { EventStreamLimit, InProgressLimit } from './limits/in-progress-limit.js';
import { LargeBodies } from './limits/large-bodies.js';
import { AddressLimit, OrganizationLimit, PersonLimit, RateLimit } from './limits/rate-limit.js';
import { BrandingController } from './media/branding.controller.js';
import { PictureProxy } from './media/picture-proxy.js';
import { ServedPictures } from './media/picture-route.js';
import { PlayerController } from './media/player.controller.js';
import { UploadedLogos } from './media/uploaded-logos.js';
import { OperationsController } from './http/operations.controller.js';
import { ClassroomController, JoinHookCheck } from './rooms/classroom.controller.js';
import { EngagementController } from './rooms/engagement.controller.js';
import { FilmController } from './rooms/film.controller.js';
import { LiveKitWebhooks } from './rooms/livekit-webhooks.js';
import { PageController } from './rooms/page.controller.js';
import { RoomsController } from './rooms/rooms.controller.js';
import { HealthCheck, HealthController } from './site/health.controller.js';
import { SystemController } from './site/system.controller.js';

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
