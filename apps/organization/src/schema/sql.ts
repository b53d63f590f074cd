// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBytes, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { ApiKeySecretEntity } from './api-key-secret.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { AuditChangeEntity } from './audit-change.entity.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditHeadEntity } from './audit-head.entity.js';
import { AuditPendingEntity } from './audit-pending.entity.js';
import { DashboardSessionEntity } from './dashboard-session.entity.js';
import { DomainProofEntity } from './domain-proof.entity.js';
import { ErasureEntity } from './erasure.entity.js';
import { EventEntity } from './event.entity.js';
import { ExportEntity } from './export.entity.js';
import { HistoryEntity } from './history.entity.js';
import { OrganizationCredentialEntity } from './organization-credential.entity.js';
import { OrganizationLogoEntity } from './organization-logo.entity.js';
import { OrganizationEntity } from './organization.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'api-keys.expireSecrets': { parameters: [SqlText, SqlTime]; row: object };
  'api-keys.findByPrefix': { parameters: [SqlText]; row: ApiKeyEntity & Omit<ApiKeySecretEntity, 'keyId'> };
  'api-keys.listByOrganization': { parameters: [SqlText, SqlTime]; row: ApiKeyEntity & { previousUntil: Date | null } };
  'api-keys.listWithCreated': { parameters: [SqlText, SqlText]; row: ApiKeyEntity };
  'api-keys.markUsed': { parameters: [SqlArray<SqlText>, SqlArray<SqlTime>]; row: object };
  'audit-changes.add': { parameters: [SqlText, SqlText, SqlJson, SqlTime]; row: object };
  'audit-changes.find': { parameters: [SqlArray<SqlText>]; row: Omit<AuditChangeEntity, 'createdAt'> };
  'audit-changes.remove': { parameters: [SqlArray<SqlNumber>]; row: object };
  'audit-log.addHeads': { parameters: [SqlArray<SqlText>]; row: object };
  'audit-log.append': {
    parameters: { entryId: SqlArray<SqlText>; organizationId: SqlArray<SqlText>; sequence: SqlArray<SqlNumber>; at: SqlArray<SqlTime>; actorType: SqlArray<SqlText>; actorId: SqlArray<SqlText>; operation: SqlArray<SqlText>; address: SqlArray<SqlText>; requestId: SqlArray<SqlText>; target: SqlArray<SqlJson>; fields: SqlArray<SqlJson>; changes: SqlArray<SqlJson>; status: SqlArray<SqlNumber>; hash: SqlArray<SqlBytes> };
    row: object;
  };
  'audit-log.countEntries': { parameters: [SqlText]; row: { count: number } };
  'audit-log.eraseEntries': { parameters: [SqlText]; row: { removed: number } };
  'audit-log.findErased': { parameters: [SqlArray<SqlText>]; row: Pick<ErasureEntity, 'organizationId'> };
  'audit-log.findExisting': { parameters: [SqlArray<SqlText>]; row: Pick<AuditEntryEntity, 'entryId'> };
  'audit-log.lockHeads': { parameters: [SqlArray<SqlText>]; row: AuditHeadEntity };
  'audit-log.moveHeads': { parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>, SqlArray<SqlBytes>]; row: object };
  'audit-log.page': {
    parameters: { organizationId: SqlText; from: SqlTime; to: SqlTime; operation: SqlText; actor: SqlText; afterAt: SqlTime; afterId: SqlText; limit: SqlNumber };
    row: AuditEntryEntity;
  };
  'audit-log.removeHead': { parameters: [SqlText]; row: object };
  'audit-pending.addBegun': { parameters: [SqlText, SqlText, SqlJson, SqlTime]; row: object };
  'audit-pending.addUncertain': { parameters: [SqlText, SqlText, SqlJson, SqlTime]; row: object };
  'audit-pending.remove': { parameters: [SqlArray<SqlText>]; row: object };
  'audit-pending.takeDue': { parameters: [SqlTime, SqlNumber]; row: Pick<AuditPendingEntity, 'entryId' | 'call'> };
  'credentials.lockOrganization': { parameters: [SqlText]; row: object };
  'credentials.markUsed': { parameters: [SqlArray<SqlText>, SqlArray<SqlTime>]; row: object };
  'credentials.removeOf': { parameters: [SqlArray<SqlText>]; row: object };
  'dashboard-sessions.deleteExpired': { parameters: [SqlTime, SqlNumber]; row: object };
  'deliveries.add': {
    parameters: { now: SqlTime; deliveryId: SqlArray<SqlText>; endpointId: SqlArray<SqlText>; id: SqlArray<SqlText>; type: SqlArray<SqlText>; timestamp: SqlArray<SqlTime>; payload: SqlArray<SqlText>; traceparent: SqlArray<SqlText> };
    row: object;
  };
  'deliveries.claim': {
    parameters: [SqlText, SqlTime, SqlTime, SqlTime];
    row: Pick<WebhookDeliveryEntity, 'deliveryId' | 'endpointId' | 'eventId' | 'payload' | 'trace' | 'claim' | 'attempts'> & Pick<WebhookEndpointEntity, 'organizationId' | 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil'>;
  };
  'deliveries.deleteOfDeletedEndpoints': { parameters: [SqlNumber]; row: object };
  'deliveries.deleteOlder': { parameters: [SqlTime, SqlNumber]; row: object };
  'deliveries.replacePayloads': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'deliveries.restart': { parameters: [SqlText, SqlText, SqlTime]; row: WebhookDeliveryEntity };
  'deliveries.restartFailed': { parameters: [SqlText, SqlTime, SqlTime, SqlArray<SqlText>, SqlNumber, SqlTime]; row: object };
  'deliveries.scan': {
    parameters: [SqlText, SqlText, SqlText, SqlNumber, SqlNumber];
    row: Pick<WebhookDeliveryEntity, 'endpointId' | 'position' | 'deliveryId'> & { payload: string | null };
  };
  'deliveries.settle': {
    parameters: { status: SqlText; dueAt: SqlTime; attemptedAt: SqlTime; statusCode: SqlNumber; error: SqlText; durationMs: SqlNumber; responseBody: SqlText; deliveryId: SqlText; claim: SqlNumber };
    row: object;
  };
  'delivery-list.page': { parameters: [SqlText, SqlText, SqlNumber, SqlNumber]; row: WebhookDeliveryEntity };
  'delivery-list.summarizePending': { parameters: []; row: { count: number; oldestDue: Date | null } };
  'domain-proofs.claimDue': { parameters: [SqlTime, SqlTime, SqlNumber]; row: DomainProofEntity };
  'domain-proofs.removeOthers': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'endpoints.eraseDeleted': { parameters: []; row: object };
  'endpoints.findWithDue': { parameters: [SqlTime, SqlTime]; row: { endpointId: WebhookEndpointEntity['endpointId'] } };
  'endpoints.lock': { parameters: [SqlText]; row: WebhookEndpointEntity };
  'endpoints.lockEnabled': { parameters: [SqlArray<SqlText>]; row: Pick<WebhookEndpointEntity, 'endpointId' | 'organizationId' | 'eventTypes' | 'createdAt'> };
  'endpoints.reseal': { parameters: [SqlText, SqlText, SqlText, SqlText, SqlText]; row: object };
  'erasures.cancel': { parameters: [SqlText, SqlTime]; row: Pick<ErasureEntity, 'erasureId'> };
  'erasures.claimDue': { parameters: [SqlTime, SqlTime, SqlNumber]; row: ErasureEntity };
  'erasures.complete': { parameters: [SqlText, SqlTime, SqlJson]; row: object };
  'erasures.lockHistory': { parameters: [SqlText]; row: { pg_advisory_xact_lock: undefined | null } };
  'erasures.lockOpen': { parameters: [SqlText]; row: Pick<ErasureEntity, 'results' | 'historyProgress'> };
  'erasures.saveClosedThrough': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'erasures.saveFactsThrough': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'erasures.saveHistoryProgress': { parameters: [SqlText, SqlJson]; row: object };
  'erasures.saveResult': { parameters: [SqlText, SqlText, SqlJson]; row: object };
  'erasures.startDue': { parameters: [SqlTime, SqlTime]; row: object };
  'exported.apiKeys': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<ApiKeyEntity, 'organizationId' | 'idempotencyKey' | 'rotationKey'> & { key: string[] };
  };
  'exported.audit': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<AuditEntryEntity, 'organizationId' | 'hash'> & { key: string[] };
  };
  'exported.credentials': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<OrganizationCredentialEntity, 'organizationId' | 'hash' | 'hint' | 'idempotencyKey'> & { key: string[] };
  };
  'exported.erasures': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<ErasureEntity, 'erasureId' | 'subject' | 'requestedAt' | 'completedAt' | 'receipt'> & { key: string[] };
  };
  'exported.events': { parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber]; row: Omit<EventEntity, 'organizationId'> & { key: string[] } };
  'exported.logos': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<OrganizationLogoEntity, 'organizationId'> & { key: string[] };
  };
  'exported.organization': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<OrganizationEntity, 'dashboardTokenVersion'> & { key: string[] };
  };
  'exported.webhookDeliveries': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<WebhookEndpointEntity, 'endpointId'> & Omit<WebhookDeliveryEntity, 'endpointId' | 'trace' | 'claim' | 'dueAt' | 'leasedUntil'> & { key: string[] };
  };
  'exported.webhookEndpoints': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<WebhookEndpointEntity, 'organizationId' | 'secret' | 'previousSecret' | 'previousSecretUntil' | 'heldUntil' | 'idempotencyKey' | 'idempotencyHash' | 'rotationKey'> & { key: string[] };
  };
  'exports.add': { parameters: [SqlText, SqlText, SqlJson, SqlTime, SqlArray<SqlText>, SqlTime]; row: ExportEntity };
  'exports.claimDue': { parameters: [SqlTime, SqlTime, SqlNumber]; row: ExportEntity };
  'exports.complete': {
    parameters: { completedAt: SqlTime; deleteAt: SqlTime; bytes: SqlNumber; sha256: SqlText; stores: SqlJson; exportId: SqlText; attempt: SqlNumber };
    row: object;
  };
  'exports.expire': { parameters: [SqlText, SqlJson, SqlTime]; row: object };
  'exports.findDeletable': { parameters: [SqlTime, SqlNumber]; row: Pick<ExportEntity, 'exportId' | 'organizationId'> };
  'exports.markDeleted': { parameters: [SqlText, SqlTime, SqlTime]; row: object };
  'exports.removeOf': { parameters: [SqlArray<SqlText>]; row: object };
  'exports.renew': { parameters: { until: SqlTime; waitingFor: SqlArray<SqlText>; exportId: SqlText; attempt: SqlNumber }; row: object };
  'history.advance': { parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>]; row: HistoryEntity };
  'history.append': {
    parameters: { now: SqlTime; organizationId: SqlArray<SqlText>; sequence: SqlArray<SqlNumber>; id: SqlArray<SqlText>; type: SqlArray<SqlText>; timestamp: SqlArray<SqlTime>; data: SqlArray<SqlJson> };
    row: object;
  };
  'history.deleteOlder': { parameters: [SqlTime, SqlNumber]; row: object };
  'history.page': {
    parameters: [SqlText, SqlNumber, SqlArray<SqlText>, SqlNumber];
    row: { lastSequence: HistoryEntity['lastSequence']; eventId: EventEntity['eventId'] | null; sequence: EventEntity['sequence'] | null; type: EventEntity['type'] | null; occurredAt: EventEntity['occurredAt'] | null; data: EventEntity['data'] | null; earliest: number | null };
  };
  'history.replaceData': { parameters: [SqlText, SqlArray<SqlText>, SqlArray<SqlJson>]; row: object };
  'history.scan': { parameters: [SqlText, SqlText, SqlNumber, SqlNumber]; row: Pick<EventEntity, 'eventId' | 'sequence'> & { data: unknown } };
  'missed-events.find': {
    parameters: { organizationId: SqlText; since: SqlTime; until: SqlTime; types: SqlArray<SqlText>; eventTypes: SqlArray<SqlText>; endpointId: SqlText; limit: SqlNumber };
    row: Omit<EventEntity, 'organizationId' | 'eventId' | 'createdAt'> & { id: EventEntity['eventId'] };
  };
  'organizations.existsWithDomain': { parameters: [SqlArray<SqlText>]; row: object };
  'organizations.forget': { parameters: [SqlText]; row: object };
  'organizations.increaseTokenVersion': { parameters: [SqlText]; row: { version: OrganizationEntity['dashboardTokenVersion'] } };
  'organizations.joinHookSecrets': {
    parameters: [SqlText, SqlNumber];
    row: Pick<OrganizationEntity, 'organizationId'> & { secret: NonNullable<OrganizationEntity['joinHookSecret']> };
  };
  'organizations.lockErased': { parameters: [SqlTime, SqlNumber]; row: Pick<OrganizationEntity, 'organizationId'> };
  'organizations.page': { parameters: [SqlTime, SqlText, SqlNumber]; row: OrganizationEntity };
  'organizations.remove': { parameters: [SqlArray<SqlText>]; row: object };
  'organizations.resealJoinHook': { parameters: [SqlText, SqlText, SqlText]; row: object };
  'organizations.retentions': { parameters: [SqlText, SqlNumber]; row: Pick<OrganizationEntity, 'organizationId' | 'retention'> };
}

export const sql = statements<Statements>('organization');
export const entities = [ApiKeySecretEntity, ApiKeyEntity, AuditChangeEntity, AuditEntryEntity, AuditHeadEntity, AuditPendingEntity, DashboardSessionEntity, DomainProofEntity, ErasureEntity, EventEntity, ExportEntity, HistoryEntity, OrganizationCredentialEntity, OrganizationLogoEntity, OrganizationEntity, WebhookDeliveryEntity, WebhookEndpointEntity];
