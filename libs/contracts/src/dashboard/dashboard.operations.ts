import { z } from 'zod';
import { dashboardRole } from '../kernel/caller.js';
import { pagination, shown } from '../kernel/fields.js';
import { atLeastOneOf, givesSome, NAMES, ROOM, schemaHints } from '../kernel/reference.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { text, timestamp } from '../kernel/values.js';
import { auditEntry, auditQuery } from '../organization/audit.operations.js';
import { retention, retentionChanges } from '../privacy/data-classes.js';
import { roomIdParams } from '../room/room.operations.js';
import { shownBranding } from '../organization/logo.operations.js';
import { brandingChanges, organization } from '../organization/organization.operations.js';

/**
 * What only the staff of an organization calls, from its console. Whatever a backend may also call is declared once, with `dashboardRole`.
 */

/** Longest lifetime of a token in seconds. */
export const MAX_DASHBOARD_TOKEN_SECONDS = 12 * 3_600;

export const createDashboardTokenBody = z.object({
  subject: text(128).describe('The user of the token, by the organization’s own name for them, 1 to 128 characters.'),
  role: dashboardRole.describe(
    'Both roles read classes and costs. `OWNER` also changes branding and retention, and manages webhooks and API keys; with a token that an API key issued, within the rights of that key.',
  ),
  ttlSeconds: z
    .number()
    .int()
    .min(60)
    .max(MAX_DASHBOARD_TOKEN_SECONDS)
    .default(3_600)
    .describe('Lifetime in seconds, 60 to 43,200 (12 hours). Default: 3,600.'),
});

const createdDashboardToken = z.object({
  token: z.string().describe('The token, a JWT for `Authorization: Bearer`.'),
  expiresAt: timestamp.describe('When the token expires.'),
  sessionId: z.string().describe('Id of the session that the token opens, with which it can be ended. It is no secret.'),
});

export const issueDashboardToken = defineEndpoint({
  operationId: 'issueDashboardToken',
  summary: 'Create dashboard token',
  description:
    'Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key.',
  tag: 'Own dashboard tokens',
  sdk: 'dashboardTokens.create',
  route: 'POST /v1/dashboard-tokens',
  auth: 'organization',
  scope: 'dashboard:issue',
  body: createDashboardTokenBody,
  response: envelope(
    createdDashboardToken.extend({
      code: z
        .string()
        .nullable()
        .describe(
          'Signs the person in once, within a minute, by a link to `/console#code=…`. Prefer it to the token, which works in every link until it expires. Null while codes cannot be stored.',
        ),
    }),
  ),
  errors: ['ORGANIZATION_NOT_FOUND'],
  operators: {
    path: '/dashboard-tokens',
    summary: 'Create organization dashboard token',
    tag: 'Dashboard tokens',
    sdk: 'dashboardTokens.create',
  },
  example: { body: { subject: 'head@lakeside.example', role: 'OWNER', ttlSeconds: 900 } },
});

export const openDashboardSession = defineEndpoint({
  operationId: 'openDashboardSession',
  summary: 'Open dashboard session',
  description: 'Exchanges the code of a link to the console for the dashboard token. A code works once, within a minute of its creation.',
  tag: 'Dashboard',
  sdk: 'dashboardTokens.exchange',
  route: 'POST /v1/dashboard/session',
  auth: 'none',
  body: z.object({
    code: z
      .string()
      .regex(/^vdc_[\w-]{32}$/, 'must be a code such as vdc_…')
      .describe('The code, `vdc_` and 32 characters.'),
  }),
  response: envelope(createdDashboardToken),
  errors: ['UNAUTHORIZED'],
  example: { body: { code: 'vdc_x7Kq2LmN4pXy9Rs8Tu0Wx2Np5Qr8Sv1T' } },
});

export const getDashboardProfile = defineEndpoint({
  operationId: 'getDashboardProfile',
  summary: 'Get dashboard organization',
  description: 'Returns the organization with its billing plan, branding and retention, and the caller.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/profile',
  auth: 'dashboard',
  // Without the organization's id: it authorizes every call, and only the organization's backend may know it.
  response: envelope(
    organization.pick({ name: true, billing: true, createdAt: true }).extend({
      branding: shownBranding.describe('Logo and colors.'),
      retention: retention.describe('How long personal data is kept.'),
      subject: z.string().describe('The user of the token.'),
      role: dashboardRole.describe('The user’s role.'),
    }),
  ),
  example: {},
});

export const updateDashboardBranding = defineEndpoint({
  operationId: 'updateDashboardBranding',
  summary: 'Update dashboard branding',
  description: 'Changes logo or colors. Requires the role OWNER. Omitted fields stay as they are; null removes a value.',
  tag: 'Dashboard',
  route: 'PATCH /v1/dashboard/branding',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  body: brandingChanges
    .refine(...givesSome(...Object.keys(brandingChanges.shape)))
    .register(schemaHints, atLeastOneOf(...Object.keys(brandingChanges.shape))),
  response: envelope(shownBranding),
  example: { body: { accentColor: '#f9a825' } },
});

export const updateDashboardRetention = defineEndpoint({
  operationId: 'updateDashboardRetention',
  summary: 'Update dashboard retention',
  description:
    'Changes how long personal data is kept. Requires the role OWNER. Omitted classes stay as they are; null returns to the default. Data that is older is erased within about an hour.',
  tag: 'Dashboard',
  route: 'PATCH /v1/dashboard/retention',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  body: retentionChanges
    .refine(...givesSome(...Object.keys(retentionChanges.shape)))
    .register(schemaHints, atLeastOneOf(...Object.keys(retentionChanges.shape))),
  response: envelope(retention),
  example: { body: { chat: 90 } },
});

export const shownConnection = z
  .object({
    connectionSid: z.string().describe('Id of the connection.'),
    uid: shown.uid,
    name: shown.name,
    role: shown.role,
    joinedAt: timestamp.describe('When the connection began.'),
    leftAt: timestamp.nullable().describe('When it ended; null while it is open.'),
    openedBy: z.string().describe('The evidence that opened it, such as a webhook. More may be added.'),
    closedBy: z.string().nullable().describe('The evidence that closed it; null while it is open. More may be added.'),
  })
  .register(NAMES, { id: 'Connection', description: 'One stay of a participant in a class, as the room service counts it.' });

/** Connections in one answer. */
export const MAX_SHOWN_CONNECTIONS = 5_000;

export const listDashboardConnections = defineEndpoint({
  operationId: 'listDashboardConnections',
  summary: 'List connections',
  description: `Returns every join and leave of a class, during it and afterwards, with the evidence, at most ${MAX_SHOWN_CONNECTIONS.toLocaleString('en-US')} of them.`,
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms/:roomId/connections',
  auth: 'dashboard',
  params: roomIdParams,
  response: envelope(
    z.object({
      connections: z.array(shownConnection).describe('The connections, the earliest join first.'),
      isComplete: z.boolean().describe('Whether these are all of them.'),
    }),
  ),
  errors: ['ROOM_NOT_FOUND'],
  example: { params: ROOM },
});

/** Without the changes: those of an organization name its id, which may be a credential. */
export const dashboardAuditEntry = auditEntry
  .omit({ changes: true, address: true, hash: true })
  .register(NAMES, { id: 'DashboardAuditEntry', description: 'One call in the audit log, as the staff of an organization sees it.' });

export const listDashboardAudit = defineEndpoint({
  operationId: 'listDashboardAudit',
  summary: 'List dashboard audit log',
  description: 'Returns who changed, recorded, removed or exported what in the organization, newest first.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/audit',
  auth: 'dashboard',
  query: auditQuery,
  response: envelope(
    z.object({
      entries: z.array(dashboardAuditEntry).describe('The entries, newest first.'),
      pagination: pagination.describe('Where the list continues.'),
    }),
  ),
  example: { query: { operation: 'createDashboardToken', limit: '2' } },
});
