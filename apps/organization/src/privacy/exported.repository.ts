import { Injectable } from '@nestjs/common';
import type { ExportPage, ExportPageRequest } from '@classroom/contracts';
import { exportPage, OF_ORGANIZATION, rowsOf, rowsOfOwners, type ExportedRow, type ExportedStore } from '@classroom/messaging';
import { columnsOf, Database } from '@classroom/persistence';
import { PERSONAL, UIDS } from '../events/to-public-events.js';
import { ApiKeyEntity } from '../schema/api-key.entity.js';
import { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import { EventEntity } from '../schema/event.entity.js';
import { OrganizationCredentialEntity } from '../schema/organization-credential.entity.js';
import { OrganizationLogoEntity } from '../schema/organization-logo.entity.js';
import { OrganizationEntity } from '../schema/organization.entity.js';
import { sql } from '../schema/sql.js';
import { WebhookDeliveryEntity } from '../schema/webhook-delivery.entity.js';
import { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';

/** A copy of an event's data without the uids and names of others. @returns undefined if the data is not about the person */
export function aboutPerson(data: unknown, uid: string): unknown {
  return mentions(data, uid) ? withoutOthers(data, uid) : undefined;
}

function withoutOthers(value: unknown, uid: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutOthers(one, uid));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const isOther = fields.some(([key, one]) => key === 'uid' && typeof one === 'string' && one !== uid);
  return Object.fromEntries(
    fields.flatMap(([key, one]) => {
      if (UIDS.has(key) && typeof one === 'string' && one !== uid) return [];
      if (isOther && key in PERSONAL) return [];
      return [[key, withoutOthers(one, uid)]];
    }),
  );
}

function mentions(value: unknown, uid: string): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, uid));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (UIDS.has(key) && one === uid) || mentions(one, uid));
}

/** Whether JSON contains the uid or the roomId of the subject as a value. `toData` looks at what field it is. */
const mentioned = (json: string) =>
  `($2::text IS NULL OR position(to_json($2::text)::text IN ${json}) > 0) AND ($3::text IS NULL OR position(to_json($3::text)::text IN ${json}) > 0)`;

const organization = sql.planned(
  'exported.organization',
  rowsOf({
    from: 'organizations t',
    columns: columnsOf(OrganizationEntity, { from: 't', except: ['dashboardTokenVersion'] }),
    key: { organizationId: 'text' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const logos = sql.planned(
  'exported.logos',
  rowsOf({
    from: 'organization_logos t',
    columns: columnsOf(OrganizationLogoEntity, { from: 't', except: ['organizationId'] }),
    key: { sha256: 'text', number: 'integer' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const apiKeys = sql.planned(
  'exported.apiKeys',
  rowsOf({
    from: 'api_keys t',
    columns: columnsOf(ApiKeyEntity, { from: 't', except: ['organizationId', 'idempotencyKey', 'rotationKey'] }),
    key: { keyId: 'text' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const credentials = sql.planned(
  'exported.credentials',
  rowsOf({
    from: 'organization_credentials t',
    columns: columnsOf(OrganizationCredentialEntity, { from: 't', except: ['organizationId', 'hash', 'hint', 'idempotencyKey'] }),
    key: { credentialId: 'text' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const webhookEndpoints = sql.planned(
  'exported.webhookEndpoints',
  rowsOf({
    from: 'webhook_endpoints t',
    columns: columnsOf(WebhookEndpointEntity, {
      from: 't',
      except: [
        'organizationId',
        'secret',
        'previousSecret',
        'previousSecretUntil',
        'heldUntil',
        'idempotencyKey',
        'idempotencyHash',
        'rotationKey',
      ],
    }),
    key: { endpointId: 'text' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const webhookDeliveries = sql.planned(
  'exported.webhookDeliveries',
  rowsOfOwners({
    owners: 'webhook_endpoints o',
    ownerKey: 'endpoint_id',
    ownerKeyType: 'text',
    ownerColumns: 'o.endpoint_id AS "endpointId"',
    ownerWhere: 'o.organization_id = $1',
    from: 'webhook_deliveries t',
    columns: columnsOf(WebhookDeliveryEntity, { from: 't', except: ['endpointId', 'trace', 'claim', 'dueAt', 'leasedUntil'] }),
    key: { position: 'bigint' },
    where: `t.endpoint_id = o.endpoint_id AND ${mentioned('t.payload')}`,
  }),
);

const events = sql.planned(
  'exported.events',
  rowsOf({
    from: 'events t',
    columns: columnsOf(EventEntity, { from: 't', except: ['organizationId'] }),
    key: { sequence: 'bigint' },
    where: `t.organization_id = $1 AND ${mentioned('t.data::text')}`,
  }),
);

const audit = sql.planned(
  'exported.audit',
  rowsOf({
    from: 'audit_entries t',
    columns: columnsOf(AuditEntryEntity, { from: 't', except: ['organizationId', 'hash'] }),
    key: { sequence: 'bigint' },
    where: `t.organization_id = $1 AND ($3::text IS NULL OR t.target ->> 'roomId' = $3)
      AND ($2::text IS NULL OR t.target ->> 'uid' = $2 OR (t.actor_type = 'participant' AND t.actor_id = $2))`,
  }),
);

const erasures = sql.planned(
  'exported.erasures',
  rowsOf({
    from: 'erasures t',
    columns: 't.erasure_id AS "erasureId", t.subject, t.requested_at AS "requestedAt", t.completed_at AS "completedAt", t.receipt',
    key: { erasureId: 'text' },
    where: `t.organization_id = $1 AND ($2::text IS NULL OR t.subject ->> 'uid' = $2) AND ($3::text IS NULL OR t.subject ->> 'roomId' = $3)`,
  }),
);

/** Of an event about several people, a person gets what is theirs. */
function toEvent(row: ExportedRow, uid: string | null): ExportedRow | undefined {
  if (uid === null) return row;
  const data = aboutPerson(row['data'], uid);
  return data === undefined ? undefined : { ...row, data };
}

/** The endpoint's answer may repeat the names of others. */
function toDelivery({ payload, responseBody, ...row }: ExportedRow, uid: string | null): ExportedRow | undefined {
  const sent: unknown = JSON.parse(String(payload));
  if (uid === null) return { ...row, payload: sent, responseBody };
  const own = aboutPerson(sent, uid);
  return own === undefined ? undefined : { ...row, payload: own };
}

/** Who did something to the person, and from where, is the other's own data. */
function toAudit({ actorId, address, changes, ...row }: ExportedRow, uid: string | null): ExportedRow {
  const isOwn = uid === null || (row['actorType'] === 'participant' && actorId === uid);
  return isOwn ? { ...row, actorId, address, changes } : row;
}

const toLogo = ({ content, ...row }: ExportedRow): ExportedRow => ({ ...row, content: (content as Buffer).toString('base64') });

const STORES: ExportedStore[] = [
  { name: 'organization', statement: organization },
  { name: 'logos', statement: logos, toData: toLogo },
  { name: 'api-keys', statement: apiKeys },
  { name: 'credentials', statement: credentials },
  { name: 'webhook-endpoints', statement: webhookEndpoints },
  { name: 'webhook-deliveries', statement: webhookDeliveries, toData: toDelivery },
  { name: 'events', statement: events, toData: toEvent },
  { name: 'audit', statement: audit, toData: toAudit },
  { name: 'erasures', statement: erasures },
];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }
}
