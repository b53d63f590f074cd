import type { DataOf } from '@classroom/page/typed-calls';
import { ApiError } from '@classroom/page/api-error';
import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { api, send, load } from './client.js';

export type Profile = DataOf<'getDashboardProfile'>;
export type Usage = { balance: DataOf<'getBalance'>; statements: DataOf<'listStatements'> };
export type CreditAlerts = DataOf<'getCreditAlerts'>;
export type Balance = Usage['balance'];
export type Room = DataOf<'listRooms'>['rooms'][number];
export type WholeRoom = DataOf<'getRoom'>;
export type Connection = DataOf<'listDashboardConnections'>['connections'][number];
export type Attendance = DataOf<'getAttendance'>;
export type Consent = DataOf<'listConsents'>['consents'][number];
export type Recording = DataOf<'listRecordings'>[number];
export type ChatMessage = DataOf<'listRoomChat'>['messages'][number];
export type BoardPage = DataOf<'getRoomBoard'>['pages'][number];
export type Poll = DataOf<'listRoomPolls'>[number];
export type RetentionEffect = DataOf<'getDashboardRetentionEffect'>;
export type Video = DataOf<'listVideos'>['videos'][number];
export type Entry = DataOf<'listLedger'>['entries'][number];
export type Explained = DataOf<'explainEntry'>;
export type UsageDay = DataOf<'listDashboardUsageDays'>['days'][number];
export type ChargedClass = DataOf<'listDashboardChargedClasses'>['classes'][number];
export type AuditEntry = DataOf<'listDashboardAudit'>['entries'][number];
export type Domain = DataOf<'listDomains'>['domains'][number];
export type WebhookEndpoint = DataOf<'listWebhookEndpoints'>['endpoints'][number];
export type Delivery = DataOf<'listWebhookDeliveries'>['deliveries'][number];
export type Retention = Profile['retention'];
export type Branding = Profile['branding'];
export type ApiKey = DataOf<'listApiKeysForOrganization'>['apiKeys'][number];
export type Organization = DataOf<'listOrganizations'>['organizations'][number];
export type DeadLetter = DataOf<'getDeadLetter'>;
export type System = DataOf<'getSystem'>;

const STALE_MS = 15_000;
/** How often what is live is read again, in milliseconds. A hidden page does not poll. */
export const LIVE_MS = 15_000;
const MOST_RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      retry: (failures, error) => failures < MOST_RETRIES && error instanceof ApiError && error.isRetryable,
    },
  },
});

export interface RoomFilters {
  status?: 'created' | 'live' | 'finished' | undefined;
  title?: string | undefined;
  /** First and last day of the class's start, `2026-01-31`. */
  startedFrom?: string | undefined;
  startedTo?: string | undefined;
}
export interface AuditFilters {
  operation?: string | undefined;
  actor?: string | undefined;
}
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
export interface LedgerFilters {
  kind?: 'OPENING' | 'TOP_UP' | 'CORRECTION' | 'CHARGE' | 'ADJUSTMENT' | 'AI_USAGE' | undefined;
  roomId?: string | undefined;
}

const PAGE_SIZE = 50;
const paged = { initialPageParam: undefined as string | undefined };

/** What each page of the console reads, with the key under which it is kept. */
export const queries = {
  profile: queryOptions({ queryKey: ['profile'], queryFn: () => api.getDashboardProfile(), staleTime: Infinity }),
  usage: queryOptions({ queryKey: ['usage'], queryFn: () => usage() }),
  days: (from: string, to: string) =>
    queryOptions({ queryKey: ['days', from, to], queryFn: async () => (await api.listDashboardUsageDays({ from, to })).days }),
  day: (day: string) =>
    queryOptions({ queryKey: ['day', day], queryFn: async () => (await api.listDashboardChargedClasses({ day })).classes }),
  alerts: queryOptions({ queryKey: ['alerts'], queryFn: () => api.getCreditAlerts() }),
  liveRooms: queryOptions({
    queryKey: ['rooms', 'live'],
    queryFn: async () => (await api.listRooms({ status: 'live', limit: 100 })).rooms,
    refetchInterval: LIVE_MS,
  }),
  rooms: (filters: RoomFilters) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['rooms', filters],
      queryFn: ({ pageParam }) => api.listRooms({ ...filters, title: filters.title || undefined, limit: PAGE_SIZE, cursor: pageParam }),
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  /** Classes that are still to come, the next one first. */
  planned: queryOptions({ queryKey: ['rooms', 'planned'], queryFn: () => plannedRooms() }),
  room: (roomId: string) => queryOptions({ queryKey: ['room', roomId], queryFn: () => api.getRoom({ roomId }) }),
  /** The names of everyone for whom a token of the room was created, by uid. @param at time of the latest answer; they are read with each */
  names: (roomId: string, at: string | undefined) =>
    queryOptions({
      queryKey: ['room', roomId, 'names', at],
      queryFn: () => namesIn(roomId),
      enabled: at !== undefined,
      placeholderData: keepPreviousData,
    }),
  consents: (roomId: string) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['room', roomId, 'consents'],
      queryFn: ({ pageParam }) => api.listConsents({ roomId, limit: 200, cursor: pageParam }),
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  connections: (roomId: string) =>
    queryOptions({ queryKey: ['room', roomId, 'connections'], queryFn: () => api.listDashboardConnections({ roomId }) }),
  attendance: (roomId: string) => queryOptions({ queryKey: ['room', roomId, 'attendance'], queryFn: () => api.getAttendance({ roomId }) }),
  engagement: (roomId: string) =>
    queryOptions({
      queryKey: ['room', roomId, 'engagement'],
      queryFn: async () => (await api.listEngagement({ roomId, limit: 200 })).participants,
    }),
  board: (roomId: string) =>
    queryOptions({ queryKey: ['room', roomId, 'board'], queryFn: () => api.getRoomBoard({ roomId }), staleTime: Infinity }),
  boardPicture: (roomId: string, pageId: string, format: 'svg' | 'png') =>
    queryOptions({
      queryKey: ['room', roomId, 'board', pageId, format],
      queryFn: () => load(`/v1/room/${roomId}/board?${new URLSearchParams({ format, pageId })}`),
      staleTime: Infinity,
    }),
  polls: (roomId: string) =>
    queryOptions({ queryKey: ['room', roomId, 'polls'], queryFn: () => api.listRoomPolls({ roomId }), staleTime: Infinity }),
  chat: (roomId: string) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['room', roomId, 'chat'],
      queryFn: ({ pageParam }) => api.listRoomChat({ roomId, limit: 200, cursor: pageParam }),
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
      staleTime: Infinity,
    }),
  questions: (roomId: string) =>
    queryOptions({ queryKey: ['room', roomId, 'questions'], queryFn: () => api.tutorSummary({ roomId }), staleTime: Infinity }),
  recordings: (roomId: string) => queryOptions({ queryKey: ['room', roomId, 'recordings'], queryFn: () => api.listRecordings({ roomId }) }),
  /** Of the classes that began last, the newest first. */
  latestRecordings: queryOptions({ queryKey: ['recordings'], queryFn: () => latestRecordings(), staleTime: 60_000 }),
  ledger: (filters: LedgerFilters) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['ledger', filters],
      queryFn: ({ pageParam }) => api.listLedger({ ...filters, limit: PAGE_SIZE, cursor: pageParam }),
      getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    }),
  explained: (entryId: string) => queryOptions({ queryKey: ['entry', entryId], queryFn: () => api.explainEntry({ entryId }) }),
  videos: infiniteQueryOptions({
    ...paged,
    queryKey: ['videos'],
    queryFn: ({ pageParam }) => api.listVideos({ limit: PAGE_SIZE, cursor: pageParam }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  }),
  branding: queryOptions({ queryKey: ['branding'], queryFn: async () => (await api.getDashboardProfile()).branding }),
  domains: queryOptions({ queryKey: ['domains'], queryFn: async () => (await api.listDomains()).domains }),
  retention: queryOptions({ queryKey: ['retention'], queryFn: async () => (await api.getDashboardProfile()).retention }),
  audit: (filters: AuditFilters) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['audit', filters],
      queryFn: ({ pageParam }) => api.listDashboardAudit({ ...filters, limit: PAGE_SIZE, cursor: pageParam }),
      getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    }),
  webhookEndpoints: queryOptions({
    queryKey: ['webhooks'],
    queryFn: async () => (await api.listWebhookEndpoints()).endpoints,
  }),
  deliveries: (endpointId: string, status: DeliveryStatus | undefined) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: ['webhooks', endpointId, status],
      queryFn: ({ pageParam }) => api.listWebhookDeliveries({ endpointId, status, limit: PAGE_SIZE, cursor: pageParam }),
      getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    }),
  delivery: (endpointId: string, deliveryId: string) =>
    queryOptions({
      queryKey: ['webhooks', endpointId, 'delivery', deliveryId],
      queryFn: () => api.getWebhookDelivery({ endpointId, deliveryId }),
    }),
  apiKeys: queryOptions({ queryKey: ['api-keys'], queryFn: async () => (await api.listApiKeys()).apiKeys }),
  health: queryOptions({
    queryKey: ['health'],
    queryFn: () => send<{ status: 'healthy' | 'degraded' | 'unhealthy'; version?: string }>('GET /v1/health/status'),
    refetchInterval: 60_000,
  }),
  system: queryOptions({ queryKey: ['system'], queryFn: () => api.getSystem(), refetchInterval: LIVE_MS }),
  deadLetters: infiniteQueryOptions({
    ...paged,
    queryKey: ['dead-letters'],
    queryFn: ({ pageParam }) => api.listDeadLetters({ limit: PAGE_SIZE, cursor: pageParam }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  }),
  deadLetter: (deadLetterId: string) =>
    queryOptions({ queryKey: ['dead-letters', deadLetterId], queryFn: () => api.getDeadLetter({ deadLetterId }) }),
  organizations: infiniteQueryOptions({
    ...paged,
    queryKey: ['organizations'],
    queryFn: ({ pageParam }) => api.listOrganizations({ limit: 100, cursor: pageParam }),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  }),
  organization: (organizationId: string) =>
    queryOptions({ queryKey: ['organization', organizationId], queryFn: () => api.getOrganization({ organizationId }) }),
  organizationBalance: (organizationId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'balance'],
      queryFn: () => api.getBalanceForOrganization({ organizationId }),
    }),
  organizationCredentials: (organizationId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'credentials'],
      queryFn: () => api.listCredentialsForOrganization({ organizationId }),
    }),
  organizationApiKeys: (organizationId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'api-keys'],
      queryFn: async () => (await api.listApiKeysForOrganization({ organizationId })).apiKeys,
    }),
  organizationStatements: (organizationId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'statements'],
      queryFn: () => api.listStatementsForOrganization({ organizationId }),
    }),
  organizationEntry: (organizationId: string, entryId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'entry', entryId],
      queryFn: () => api.explainEntryForOrganization({ organizationId, entryId }),
    }),
  organizationLedger: (organizationId: string) =>
    queryOptions({
      queryKey: ['organization', organizationId, 'ledger'],
      queryFn: async () => (await api.listLedgerForOrganization({ organizationId, limit: 10 })).entries,
    }),
};

async function namesIn(roomId: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page = await api.listParticipants({ roomId, limit: 200, cursor });
    for (const { uid, name } of page.participants) names.set(uid, name);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return names;
}

async function usage(): Promise<Usage> {
  const [balance, statements] = await Promise.all([api.getBalance(), api.listStatements()]);
  return { balance, statements };
}

const LATELY_MS = 7 * 86_400_000;
/** Each is a request. */
const MOST_LATEST_ROOMS = 10;

/** Recordings are listed by class: those of the classes that began last are read, of the 100 of the last week that were created last. */
async function latestRecordings(): Promise<(Recording & { title: string })[]> {
  const startedFrom = new Date(Date.now() - LATELY_MS).toISOString();
  const { rooms } = await api.listRooms({ startedFrom, limit: 100 });
  const latest = rooms.sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '')).slice(0, MOST_LATEST_ROOMS);
  const lists = await Promise.all(
    latest.map(async ({ roomId, title }) => (await api.listRecordings({ roomId })).map((recording) => ({ ...recording, title }))),
  );
  return lists.flat().sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

const MOST_PLANNED_PAGES = 5;

/** The list is in the order of creation: of a school with very many planned classes, those that were created last are looked at. */
async function plannedRooms() {
  // A teacher may have opened one before its start.
  const { rooms } = await api.listRooms({ status: 'live', limit: 100 });
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PLANNED_PAGES; page += 1) {
    const { rooms: more, nextCursor } = await api.listRooms({ status: 'created', limit: 100, cursor });
    for (const room of more) rooms.push(room);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const now = new Date().toISOString();
  const isToCome = (room: Room): room is Room & { startsAt: string } => (room.startsAt ?? '') > now;
  return rooms.filter(isToCome).sort((a, b) => a.startsAt.localeCompare(b.startsAt));
}
