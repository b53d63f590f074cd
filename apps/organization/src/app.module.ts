import { Module, type DynamicModule } from '@nestjs/common';
import { DeadLetters, MessagingModule } from '@classroom/messaging';
import { PersistenceModule } from '@classroom/persistence';
import { Outbound, PlatformModule } from '@classroom/platform';
import { StorageModule } from '@classroom/storage';
import { ChangeApiKey, CreateApiKey, ListApiKeys, UseApiKey } from './api-keys/api-keys.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { AuditChanges } from './audit/audit-changes.js';
import { AuditChangesRepository, AuditLogRepository, AuditPendingRepository } from './audit/audit-log.repository.js';
import { AppendCalls, ListAudit, RecordCalls } from './audit/record-calls.js';
import type { OrganizationConfig } from './config.js';
import { ChangeCredentials, FindCredentials } from './organizations/credentials.js';
import { CredentialsRepository } from './organizations/credentials.repository.js';
import { ListDeadLetters, ReplayDeadLetters } from './events/dead-letters.js';
import { EraseFromHistory } from './privacy/erase-from-history.js';
import { ErasuresRepository } from './privacy/erasures.repository.js';
import { FactsProgress, RemoveErased, RunErasures } from './privacy/run-erasures.js';
import { ErasureRecords, RepeatErasures } from './privacy/repeat-erasures.js';
import { CloseOrganization, RequestErasure } from './privacy/request-erasure.js';
import { ReceiptSigner } from './privacy/to-erasure.js';
import { HistoryRepository } from './events/history.repository.js';
import { ListEvents } from './events/list-events.js';
import { ExportedRepository } from './privacy/exported.repository.js';
import { ExportsRepository } from './privacy/exports.repository.js';
import { DeleteExports, RunExports } from './privacy/run-exports.js';
import { RequestExport } from './privacy/request-export.js';
import { WriteExport } from './privacy/write-export.js';
import { ChangeDomains, CheckDomains, DomainRecords } from './organizations/domains.js';
import { DashboardSessions, RevokeDashboardTokens } from './organizations/dashboard-sessions.js';
import {
  DashboardSessionsRepository,
  DomainProofsRepository,
  LogosRepository,
  OrganizationsRepository,
} from './organizations/organizations.repository.js';
import {
  CreateOrganization,
  GetOrganization,
  ListOrganizations,
  ListRetentions,
  UpdateOrganization,
  VerifyHost,
} from './organizations/organizations.js';
import { OrganizationChanges, UploadedLogos } from './organizations/organization-changes.js';
import { entities } from './schema/sql.js';
import { DeliverDue, DueDeliveries, SettleAttempt, WebhookGauges } from './webhooks/deliver-due.js';
import { DeliveryLog, ReplayWebhooks, WebhookSweep } from './webhooks/deliveries.js';
import { DeliveriesRepository, DeliveryListRepository, MissedEventsRepository } from './webhooks/deliveries.repository.js';
import { ChangeEndpoint, CreateEndpoint, EndpointAddress, FindEndpoints } from './webhooks/endpoints.js';
import { EndpointsRepository } from './webhooks/endpoints.repository.js';
import { AskJoinHook, JoinHooks } from './webhooks/join-hook.js';
import { DueSignal, FanOut, PublicEventPublisher, RecordFacts, SandboxEvents } from './webhooks/publish-events.js';
import { ResealSecrets, SigningSecrets } from './webhooks/post-webhook.js';

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
      ],
      providers: [
        // audit
        AppendCalls,
        AuditChanges,
        AuditChangesRepository,
        AuditLogRepository,
        AuditPendingRepository,
        ListAudit,
        RecordCalls,
        // credentials
        ChangeCredentials,
        CredentialsRepository,
        FindCredentials,
        // organizations
        ChangeDomains,
        CheckDomains,
        CreateOrganization,
        DashboardSessions,
        DashboardSessionsRepository,
        DomainProofsRepository,
        DomainRecords,
        GetOrganization,
        ListOrganizations,
        ListRetentions,
        LogosRepository,
        OrganizationChanges,
        OrganizationsRepository,
        RevokeDashboardTokens,
        UpdateOrganization,
        UploadedLogos,
        VerifyHost,
        // api-keys
        ApiKeysRepository,
        ChangeApiKey,
        CreateApiKey,
        ListApiKeys,
        UseApiKey,
        // events
        HistoryRepository,
        ListEvents,
        // webhooks
        { provide: Outbound, useFactory: () => new Outbound(config) },
        AskJoinHook,
        ChangeEndpoint,
        CreateEndpoint,
        DeliverDue,
        DeliveriesRepository,
        DeliveryListRepository,
        DeliveryLog,
        DueDeliveries,
        DueSignal,
        EndpointAddress,
        EndpointsRepository,
        FanOut,
        FindEndpoints,
        JoinHooks,
        MissedEventsRepository,
        PublicEventPublisher,
        RecordFacts,
        ReplayWebhooks,
        ResealSecrets,
        SandboxEvents,
        SettleAttempt,
        SigningSecrets,
        WebhookGauges,
        WebhookSweep,
        // exports
        DeleteExports,
        ExportedRepository,
        ExportsRepository,
        RequestExport,
        RunExports,
        WriteExport,
        // erasures
        CloseOrganization,
        EraseFromHistory,
        ErasureRecords,
        ErasuresRepository,
        FactsProgress,
        ReceiptSigner,
        RemoveErased,
        RepeatErasures,
        RequestErasure,
        RunErasures,
        // dead-letters
        DeadLetters,
        ListDeadLetters,
        ReplayDeadLetters,
      ],
    };
  }
}
