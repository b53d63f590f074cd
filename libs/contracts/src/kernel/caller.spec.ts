import * as contracts from '../index.js';

const exported: unknown[] = Object.values(contracts);
const endpoints = contracts.endpointsAmong(exported);
const ofOrganizations = endpoints.filter(({ auth }) => auth === 'organization');
/** POST endpoints that only read; they take their query in the body. */
const READING_POSTS = new Set(['getParticipantSessions']);

describe('the scope of an endpoint', () => {
  it.each(ofOrganizations.map((it) => [it.operationId, it] as const))(
    '%s is for reading or writing, like its method',
    (operationId, { method, scope }) => {
      expect(contracts.SCOPES).toContain(scope);
      const isReading = method === 'GET' || READING_POSTS.has(operationId);
      expect(scope).toMatch(isReading ? /:(read|use|manage)$/ : /:(write|use|manage)$|^dashboard:issue$/);
    },
  );

  it('exists for every endpoint that an API key may call, and for no other', () => {
    expect(endpoints.filter(({ auth, scope }) => (scope !== undefined) !== (auth === 'organization'))).toEqual([]);
    expect(new Set(ofOrganizations.map(({ scope }) => scope))).toEqual(new Set(contracts.SCOPES));
  });

  it.each([
    ['createRoom', 'rooms:write'],
    ['listRooms', 'rooms:read'],
    ['removeParticipant', 'rooms:write'],
    ['downloadRecordings', 'recordings:read'],
    ['startRecording', 'recordings:write'],
    ['publishRecording', 'recordings:write'],
    ['getRecordingBucket', 'recordings:manage'],
    ['setRecordingBucket', 'recordings:manage'],
    ['getVideoUrl', 'videos:read'],
    ['deleteVideo', 'videos:write'],
    ['getBalance', 'billing:read'],
    ['listLedger', 'billing:read'],
    ['getStatementPdf', 'billing:read'],
    ['setCreditAlerts', 'billing:manage'],
    ['getAttendance', 'reports:read'],
    ['getParticipantSessions', 'reports:read'],
    ['listEngagement', 'reports:read'],
    ['explainQuality', 'reports:read'],
    ['listConsents', 'reports:read'],
    ['listRoomChat', 'chat:read'],
    ['listRoomPolls', 'chat:read'],
    ['getRoomSummary', 'billing:read'],
    ['setRoomContext', 'ai:use'],
    ['tutorChat', 'ai:use'],
    ['listEvents', 'events:read'],
    ['getWebhookEndpoint', 'webhooks:manage'],
    ['createErasure', 'privacy:manage'],
    ['createExport', 'privacy:manage'],
    ['createApiKey', 'keys:manage'],
    ['listApiKeys', 'keys:manage'],
    ['issueDashboardToken', 'dashboard:issue'],
    ['revokeDashboardTokens', 'dashboard:issue'],
    ['endDashboardSession', 'dashboard:issue'],
    ['listAudit', 'audit:read'],
  ])('%s is %s', (operationId, scope) => {
    expect(endpoints.find((it) => it.operationId === operationId)).toMatchObject({ scope });
  });

  it.each([
    [undefined, true],
    [['recordings:write'], false],
    [['recordings:write', 'recordings:manage'], true],
  ])('of a legal hold: a key with %j may end one: %s', (scopes, mayEnd) => {
    const apiKey = scopes && { keyId: 'key_1', scopes, expiresAt: null };
    const request = { params: {}, query: {}, body: { legalHold: false }, organization: { organizationId: 'org_1', branding: {} }, apiKey };
    expect(contracts.holdRecording.toInput(request)).toMatchObject({ legalHold: false, mayEnd });
  });

  it('is required for endpoints of organizations, and refused for others', () => {
    const endpoint = {
      operationId: 'getNew',
      summary: 'New',
      description: 'New.',
      tag: 'Rooms',
      route: 'GET /v1/new',
      response: contracts.envelope(contracts.organization),
    } as const;
    expect(() => contracts.defineEndpoint({ ...endpoint, auth: 'organization' })).toThrow('getNew');
    expect(() => contracts.defineEndpoint({ ...endpoint, auth: 'classroom', scope: 'rooms:read' })).toThrow('getNew');
  });
});
