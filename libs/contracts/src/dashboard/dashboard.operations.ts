import { z } from 'zod';
import { dashboardRole } from '../kernel/caller.js';
import { pagination, shown } from '../kernel/fields.js';
import { ROOM } from '../kernel/samples.js';
import { balance, statement } from '../billing/balance.operations.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { text, timestamp } from '../kernel/ids.js';
import { atLeastOneOf, givesSome, NAMES, schemaHints } from '../kernel/reference.js';
import { csvMarkQuery, isCsv } from '../kernel/query.js';
import { auditEntry, auditQuery } from '../organization/audit.operations.js';
import { retention, retentionChanges } from '../privacy/data-classes.js';
import { roomIdParams } from '../room/room.operations.js';
import { listRooms, roomPage } from '../room/rooms.operations.js';
import { domainList } from '../organization/domains.operations.js';
import { LOGO_BODY_LIMIT, LOGO_SAMPLE, logoBody } from '../organization/logo.operations.js';
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

const shownBranding = organization.shape.branding.extend({
  servedLogoUrl: z.string().nullable().describe('Address at which we serve the logo; null if there is none.'),
});

export const getDashboardProfile = defineEndpoint({
  operationId: 'getDashboardProfile',
  summary: 'Get dashboard organization',
  description: 'Returns the organization, its billing plan and the caller.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/profile',
  auth: 'dashboard',
  // Without the organization's id: it authorizes every call, and only the organization's backend may know it.
  response: envelope(
    organization
      .pick({ name: true, billing: true, createdAt: true })
      .extend({ subject: z.string().describe('The user of the token.'), role: dashboardRole.describe('The user’s role.') }),
  ),
  example: {},
});

export const getDashboardDomains = defineEndpoint({
  operationId: 'getDashboardDomains',
  summary: 'List dashboard domains',
  description: 'Returns the domains on which the organization’s classes may be embedded, and those whose proof is awaited.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/domains',
  auth: 'dashboard',
  response: envelope(organization.pick({ verifiedDomains: true }).extend(domainList.shape)),
  example: {},
});

export const getDashboardBranding = defineEndpoint({
  operationId: 'getDashboardBranding',
  summary: 'Get dashboard branding',
  description: 'Returns the organization’s logo and colors.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/branding',
  auth: 'dashboard',
  response: envelope(shownBranding),
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

export const setDashboardLogo = defineEndpoint({
  operationId: 'setDashboardLogo',
  summary: 'Upload dashboard logo',
  description: 'Uploads the logo, in place of the present one. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'PUT /v1/dashboard/branding/logo',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  bodyLimit: LOGO_BODY_LIMIT,
  body: logoBody,
  response: envelope(shownBranding),
  example: { body: { logo: LOGO_SAMPLE } },
});

export const deleteDashboardLogo = defineEndpoint({
  operationId: 'deleteDashboardLogo',
  summary: 'Delete dashboard logo',
  description: 'Removes the logo, uploaded or not. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'DELETE /v1/dashboard/branding/logo',
  auth: 'dashboard',
  dashboardRole: 'OWNER',
  response: envelope(shownBranding),
  example: {},
});

export const getDashboardRetention = defineEndpoint({
  operationId: 'getDashboardRetention',
  summary: 'Get dashboard retention',
  description: 'Returns how long the organization keeps personal data.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/retention',
  auth: 'dashboard',
  response: envelope(retention),
  example: {},
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

export const getDashboardUsage = defineEndpoint({
  operationId: 'getDashboardUsage',
  summary: 'Get dashboard balance',
  description: 'Returns the remaining credits or the credits used in this cycle, and the earlier cycles.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/usage',
  auth: 'dashboard',
  requiresPlan: true,
  response: envelope(
    z.object({
      balance: balance.describe('The current balance.'),
      statements: z.array(statement).describe('The closed cycles of a postpaid plan, newest first.'),
    }),
  ),
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: {},
});

export const listDashboardRooms = defineEndpoint({
  operationId: 'listDashboardRooms',
  summary: 'List dashboard rooms',
  description:
    'Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/rooms',
  auth: 'dashboard',
  audit: 'required',
  auditIf: isCsv,
  query: listRooms.query.extend({
    export: z
      .enum(['csv', 'json'])
      .default('json')
      .describe('`csv` returns all rooms as a file and ignores `cursor` and `limit`. Default: `json`.'),
    bom: csvMarkQuery,
  }),
  response: envelope(roomPage),
  produces: ['application/json', 'text/csv'],
  example: { query: { status: 'finished' } },
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
