import { randomUUID } from 'node:crypto';
import { adminApi, ApiClient, eventually, newOrganization, newRoom, person, type RunningStack, sharedStack } from '@classroom/testing';

type Call = Parameters<ApiClient['call']>[0];

const withoutId = (text: string) => text.replace(/"requestId":"[^"]+"/, '');

/** Requests every route of an organization with another organization's id, key and dashboard token, and without credentials. */
describe('the isolation of organizations', () => {
  let stack: RunningStack;
  let own: ApiClient;
  let other: ApiClient;
  let otherKey: { keyId: string; secret: string };
  let otherDashboard: string;
  let room: Awaited<ReturnType<typeof newRoom>>;
  let endpointId: string;
  let deliveryId: string;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api: own } = await newOrganization(stack));
    const { api, organizationId } = await newOrganization(stack);
    other = api;
    const scopes = ['rooms:read', 'rooms:write', 'keys:manage'];
    otherKey = (await other.post('/v1/api-keys', { name: 'Theirs', scopes })).body.data;
    const token = await adminApi(stack).post(`/v1/admin/organizations/${organizationId}/dashboard-tokens`, {
      subject: 'them',
      role: 'OWNER',
    });
    otherDashboard = token.body.data.token;
    room = await newRoom(own);
    ({ endpointId } = (await own.post('/v1/webhook-endpoints', { url: 'https://school.example/hook' })).body.data);
    ({ deliveryId } = (await own.post(`/v1/webhook-endpoints/${endpointId}/test`)).body.data);
  });

  /** The status that another organization gets. No answer reveals that the room exists. */
  const routes: [Omit<Call, 'path'> & { path: (roomId: string) => string }, number][] = [
    [{ method: 'GET', path: (id) => `/v1/room/${id}/status` }, 200],
    [{ method: 'POST', path: (id) => `/v1/room/${id}/join`, body: { participant: person('x') } }, 404],
    [{ method: 'GET', path: (id) => `/v1/room/${id}/polls` }, 404],
    [{ method: 'PATCH', path: (id) => `/v1/room/${id}`, body: { title: 'Mine now' } }, 404],
    [{ method: 'GET', path: (id) => `/v1/room/${id}/participants` }, 404],
    [{ method: 'POST', path: (id) => `/v1/room/${id}/participants/teacher/remove` }, 404],
    [{ method: 'POST', path: (id) => `/v1/room/${id}/participants/teacher/mute` }, 404],
    [{ method: 'PATCH', path: (id) => `/v1/room/${id}/participants/teacher`, body: { role: 'STUDENT' } }, 404],
    [{ method: 'GET', path: (id) => `/v1/rooms?title=${id}` }, 200],
    [{ method: 'DELETE', path: (id) => `/v1/room/${id}` }, 404],
  ];
  const create = (roomId: string): Call => ({
    method: 'POST',
    path: '/v1/room/create',
    body: { roomId, title: 'T', participant: person('t') },
  });

  it.each(routes.map(([route, status]) => [`${route.method} ${route.path(':roomId')}`, route, status] as const))(
    'covers %s',
    async (_, route, status) => {
      const call = { ...route, path: route.path(room.roomId) };
      const foreign = await other.call(call);
      expect(foreign.status).toBe(status);
      expect(foreign.text).toBe(
        (await other.call({ ...call, path: route.path('never-used') })).text
          .replaceAll('never-used', room.roomId)
          .replace(/"requestId":"[^"]+"/, /"requestId":"[^"]+"/.exec(foreign.text)?.[0] ?? ''),
      );
      const byKey = await own.bearer(otherKey.secret).call(call);
      expect([byKey.status, withoutId(byKey.text)]).toEqual([status, withoutId(foreign.text)]);
      const headerSets: Record<string, string>[] = [
        {},
        { 'VF-ORG-ID': 'org_unknown' },
        { authorization: `Bearer ${otherKey.secret.slice(0, -1)}` },
        { authorization: `Bearer ${otherDashboard}` },
      ];
      for (const headers of headerSets) {
        const refused = await new ApiClient(stack.urls.gateway).call({ ...call, headers });
        expect([refused.status, refused.body.message]).toEqual([401, 'Unauthorized']);
      }
    },
  );

  const ofEndpoint: (Omit<Call, 'path'> & { path: string })[] = [
    { method: 'GET', path: '' },
    { method: 'PATCH', path: '', body: { url: 'https://other.example/hook' } },
    { method: 'DELETE', path: '' },
    { method: 'POST', path: '/rotate-secret' },
    { method: 'POST', path: '/test' },
    { method: 'GET', path: '/deliveries' },
    { method: 'GET', path: '/deliveries/:deliveryId' },
    { method: 'POST', path: '/deliveries/:deliveryId/replay' },
    { method: 'POST', path: '/replay', body: { since: '2020-01-01T00:00:00.000Z' } },
  ];

  it.each(ofEndpoint.map((route) => [`${route.method} /v1/webhook-endpoints/:endpointId${route.path}`, route] as const))(
    'covers webhook endpoints: %s',
    async (_, route) => {
      const at = (id: string): Call => ({ ...route, path: `/v1/webhook-endpoints/${id}${route.path.replace(':deliveryId', deliveryId)}` });
      const plain = ({ status, text }: { status: number; text: string }) => [status, text.replace(/"requestId":"[^"]+"/, '')];
      const foreign = await other.call(at(endpointId));
      expect(foreign).toMatchObject({ status: 404, body: { error: 'WEBHOOK_ENDPOINT_NOT_FOUND' } });
      expect(plain(foreign)).toEqual(plain(await other.call(at(`we_${'N'.repeat(20)}`))));
      const headerSets: Record<string, string>[] = [{}, { 'VF-ORG-ID': 'org_unknown' }];
      for (const headers of headerSets)
        expect((await new ApiClient(stack.urls.gateway).call({ ...at(endpointId), headers })).status).toBe(401);
    },
  );

  it('shows each organization only its own events and webhook endpoints', async () => {
    await eventually(async () =>
      expect((await own.get('/v1/events')).body.data.events).toMatchObject([{ type: 'room.created', data: { roomId: room.roomId } }]),
    );
    expect((await other.get('/v1/events')).body.data.events).toEqual([]);
    expect((await own.get(`/v1/webhook-endpoints/${endpointId}`)).body.data).toMatchObject({
      url: 'https://school.example/hook',
      isEnabled: true,
    });
    expect((await other.get('/v1/webhook-endpoints')).body.data.endpoints).toEqual([]);
    for (const path of ['/v1/events', '/v1/webhook-endpoints'])
      expect((await new ApiClient(stack.urls.gateway).get(path)).status).toBe(401);
  });

  it('gives no access to the keys of another organization', async () => {
    const { keyId } = otherKey;
    for (const call of [
      { method: 'POST', path: `/v1/api-keys/${keyId}/rotate` },
      { method: 'DELETE', path: `/v1/api-keys/${keyId}` },
    ]) {
      const foreign = await own.call(call);
      expect([foreign.status, foreign.body.error]).toEqual([404, 'API_KEY_NOT_FOUND']);
    }
    expect((await own.get('/v1/api-keys')).body.data.apiKeys).toEqual([]);
    expect((await own.bearer(otherKey.secret).get('/v1/api-keys')).body.data.apiKeys).toMatchObject([{ keyId }]);
    expect((await own.bearer(otherKey.secret).with({ 'VF-ORG-ID': 'org_unknown' }).get('/v1/rooms')).status).toBe(401);
  });

  it('shows no dashboard the data of another organization', async () => {
    const dashboard = own.bearer(otherDashboard);
    expect((await dashboard.get('/v1/dashboard/rooms')).body.data.rooms).toEqual([]);
    expect((await dashboard.get(`/v1/dashboard/rooms/${room.roomId}/recordings`)).status).toBe(404);
    expect((await own.get('/v1/dashboard/rooms')).status).toBe(401);
  });

  it('keeps the room unchanged after these attempts', async () => {
    expect((await own.get(`/v1/room/${room.roomId}/status`)).body.data).toMatchObject({ exists: true });
    expect((await own.post(`/v1/room/${room.roomId}/join`, { participant: person('y') })).status).toBe(200);
  });

  it('lets two organizations use the same roomId', async () => {
    const roomId = `same-${randomUUID()}`;
    const answers = [await own.call(create(roomId)), await other.call(create(roomId))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.data.room.sid).not.toBe(answers[1]?.body.data.room.sid);
    await own.delete(`/v1/room/${roomId}`);
    expect((await other.get(`/v1/room/${roomId}/status`)).body.data.exists).toBe(true);
    expect((await other.post(`/v1/room/${roomId}/join`, { participant: person('z') })).status).toBe(200);
  });

  it('keeps the Idempotency-Keys of organizations apart', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await own.call({ ...create(`a-${randomUUID()}`), headers: key });
    const second = await other.call({ ...create(`b-${randomUUID()}`), headers: key });
    expect([first.status, second.status]).toEqual([200, 200]);
  });

  it('accepts a participant’s token only for its own room, and for nothing of the organization', async () => {
    const elsewhere = await newRoom(other);
    const session = await own.bearer(elsewhere.token).post('/v1/classroom/session');
    expect(session.body.data.room.sid).toBe(elsewhere.sid);
    const participant = own.bearer(session.body.data.classroomToken);
    expect((await participant.post(`/v1/classroom/participants/teacher/remove`)).status).toBe(200);
    expect((await participant.get(`/v1/room/${room.roomId}/status`)).status).toBe(401);
    expect((await participant.get('/v1/admin/organizations')).status).toBe(401);
  });

  it('does not accept an organization’s id as the operators’ secret', async () => {
    expect((await own.get('/v1/admin/organizations')).status).toBe(401);
    expect((await adminApi(stack).get(`/v1/room/${room.roomId}/status`)).status).toBe(401);
    expect((await own.with({ 'X-Dispatch-Secret': 'wrong' }).get('/v1/admin/organizations')).status).toBe(401);
  });

  it.each(['not.a.token', 'a.b.c', 'Bearer'])('refuses the bearer %s', async (token) => {
    expect((await own.bearer(token).post('/v1/classroom/session')).status).toBe(401);
    expect((await own.bearer(token).post('/v1/classroom/end')).status).toBe(401);
  });

  it('refuses a join token in place of a classroom token, and one that was signed by another key', async () => {
    expect((await own.bearer(room.token).post('/v1/classroom/end')).status).toBe(401);
    const [head, body] = room.token.split('.');
    expect((await own.bearer(`${head}.${body}.${'A'.repeat(43)}`).post('/v1/classroom/session')).status).toBe(401);
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    expect((await own.bearer(`${none}.${body}.x`).post('/v1/classroom/session')).status).toBe(401);
  });

  it('accepts the LiveKit token of a session for no other session', async () => {
    const { livekitToken } = (await own.bearer(room.token).post('/v1/classroom/session')).body.data;
    expect((await own.bearer(livekitToken).post('/v1/classroom/session')).status).toBe(401);
    expect((await own.bearer(livekitToken).post('/v1/classroom/end')).status).toBe(401);
  });

  it('gives each service’s role its own schema and no other', async () => {
    const [row] = await stack.rows<{ ok: boolean }>(
      `SELECT bool_and(has_schema_privilege(role, 'organization', 'USAGE') = (role = 'classroom_organization')
                   AND has_schema_privilege(role, 'room', 'USAGE') = (role = 'classroom_room')
                   AND has_schema_privilege(role, 'billing', 'USAGE') = (role = 'classroom_billing')
                   AND NOT pg_has_role(role, 'postgres', 'MEMBER')) AS ok
         FROM unnest(ARRAY['classroom_organization', 'classroom_room', 'classroom_billing']) AS role`,
    );
    expect(row).toEqual({ ok: true });
  });

  it('lets billing’s role add to the ledger and the statements, and neither change nor delete them', async () => {
    const rows = await stack.rows<{ held: string[] }>(
      `SELECT array_agg(privilege ORDER BY privilege) FILTER (WHERE has_table_privilege('classroom_billing', 'billing.' || name, privilege)) AS held
         FROM unnest(ARRAY['ledger_entries', 'statements']) AS name,
              unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege GROUP BY name`,
    );
    expect(rows).toEqual([{ held: ['INSERT', 'SELECT'] }, { held: ['INSERT', 'SELECT'] }]);
  });
});
