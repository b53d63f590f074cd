import { z } from 'zod';
import { balance, ledgerPage, statement } from '../billing/balance.http.js';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { organizationId, text, timestamp } from '../kernel/ids.js';
import { oneOfThese, TOLD } from '../kernel/told.js';
import { listVideos, videoPage } from '../media/video.http.js';
import { recording } from '../recording/recording.http.js';
import { roomIdParams } from '../room/room.http.js';
import { listRooms, roomPage } from '../room/rooms.http.js';
import { branding, cursorQuery, organization } from '../organization/organization.http.js';

/** Both see all of their organization; an OWNER also changes how it looks. */
export const dashboardRole = z.enum(['OWNER', 'MEMBER']);
export type DashboardRole = z.infer<typeof dashboardRole>;

/** Nobody can take a token back: none lives longer (seconds). */
export const MAX_DASHBOARD_TOKEN_SECONDS = 12 * 3_600;

export const createDashboardTokenBody = z.object({
  /** Who it is for, by your own name for them. */
  subject: text(128),
  role: dashboardRole,
  ttlSeconds: z.number().int().min(60).max(MAX_DASHBOARD_TOKEN_SECONDS).default(3_600),
});

export const createDashboardToken = defineEndpoint({
  operationId: 'createDashboardToken',
  summary: 'A token for one person and one organization’s dashboard',
  method: 'POST',
  path: '/v1/admin/organizations/:organizationId/dashboard-tokens',
  auth: 'dispatch',
  params: z.object({ organizationId }),
  body: createDashboardTokenBody,
  response: envelope(z.object({ token: z.string(), expiresAt: timestamp })),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND'],
});

const auth = 'dashboard' as const;
const shownBranding = organization.shape.branding;

export const getDashboardProfile = defineEndpoint({
  operationId: 'getDashboardProfile',
  summary: 'The organization and its billing plan, and who asks',
  method: 'GET',
  path: '/v1/dashboard/profile',
  auth,
  // Without the organization's id, which opens everything and belongs to its backend alone.
  response: envelope(organization.pick({ name: true, billing: true, createdAt: true }).extend({ subject: z.string(), role: dashboardRole })),
  errors: ['UNAUTHORIZED'],
});

export const getDashboardDomains = defineEndpoint({
  operationId: 'getDashboardDomains',
  summary: 'The domains on which its classes may be shown',
  method: 'GET',
  path: '/v1/dashboard/domains',
  auth,
  response: envelope(organization.pick({ verifiedDomains: true })),
  errors: ['UNAUTHORIZED'],
});

export const getDashboardBranding = defineEndpoint({
  operationId: 'getDashboardBranding',
  summary: 'Logo and colors',
  method: 'GET',
  path: '/v1/dashboard/branding',
  auth,
  response: envelope(shownBranding),
  errors: ['UNAUTHORIZED'],
});

export const updateDashboardBranding = defineEndpoint({
  operationId: 'updateDashboardBranding',
  summary: 'Change logo or colors, as OWNER; what is left out stays, null takes it away',
  method: 'PATCH',
  path: '/v1/dashboard/branding',
  auth,
  body: branding.refine((body) => Object.values(body).some((value) => value !== undefined), 'nothing to change was given').register(TOLD, oneOfThese(...Object.keys(branding.shape))),
  response: envelope(shownBranding),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'FORBIDDEN'],
});

export const getDashboardUsage = defineEndpoint({
  operationId: 'getDashboardUsage',
  summary: 'What is left or used in this cycle, and the cycles before it',
  method: 'GET',
  path: '/v1/dashboard/usage',
  auth,
  response: envelope(z.object({ balance, statements: z.array(statement) })),
  errors: ['UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND'],
  requiresPlan: true,
});

export const listDashboardLedger = defineEndpoint({
  operationId: 'listDashboardLedger',
  summary: 'Every entry behind the balance, newest first',
  method: 'GET',
  path: '/v1/dashboard/ledger',
  auth,
  query: cursorQuery,
  response: envelope(ledgerPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ORGANIZATION_NOT_FOUND'],
});

export const listDashboardRooms = defineEndpoint({
  operationId: 'listDashboardRooms',
  summary: 'The rooms, newest first, by status, date of creation and title',
  method: 'GET',
  path: '/v1/dashboard/rooms',
  auth,
  query: listRooms.query,
  response: envelope(roomPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED'],
});

export const listDashboardRecordings = defineEndpoint({
  operationId: 'listDashboardRecordings',
  summary: 'The recordings of a room',
  method: 'GET',
  path: '/v1/dashboard/rooms/:roomId/recordings',
  auth,
  params: roomIdParams,
  response: envelope(z.array(recording)),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'ROOM_NOT_FOUND'],
});

export const listDashboardVideos = defineEndpoint({
  operationId: 'listDashboardVideos',
  summary: 'The videos, newest first',
  method: 'GET',
  path: '/v1/dashboard/videos',
  auth,
  query: listVideos.query,
  response: envelope(videoPage),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED'],
});
