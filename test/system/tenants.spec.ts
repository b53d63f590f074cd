import { randomUUID } from 'node:crypto';
import { adminApi, ApiClient, eventually, newOrganization, newRoom, person, type RunningStack, sharedStack } from '@classroom/testing';

/** The services with tables of their own. */
const SERVICES = ['organization', 'room', 'billing', 'recording', 'media', 'ai'];

/** What every operation refuses to strangers and to other organizations is in reference.spec.ts. */
describe('the isolation of organizations', () => {
  let stack: RunningStack;
  let own: ApiClient;
  let other: ApiClient;
  let otherKey: { keyId: string; secret: string };
  let otherDashboard: string;
  let room: Awaited<ReturnType<typeof newRoom>>;
  let endpointId: string;

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
  });

  const create = (roomId: string) => ({
    method: 'POST' as const,
    path: '/v1/room/create' as const,
    body: { roomId, title: 'T', participant: person('t') },
  });

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
  });

  it('shows each organization only its own keys, which belong to no other', async () => {
    const { keyId } = otherKey;
    expect((await own.get('/v1/api-keys')).body.data.apiKeys).toEqual([]);
    expect((await own.bearer(otherKey.secret).get('/v1/api-keys')).body.data.apiKeys).toMatchObject([{ keyId }]);
    expect((await own.bearer(otherKey.secret).with({ 'VF-ORG-ID': 'org_unknown' }).get('/v1/rooms')).status).toBe(401);
  });

  it('shows no dashboard the data of another organization', async () => {
    const dashboard = own.bearer(otherDashboard);
    expect((await dashboard.get('/v1/rooms')).body.data.rooms).toEqual([]);
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
    const rows = await stack.rows<{ role: string; schema: string }>(
      `SELECT role, schema FROM unnest($1::text[]) AS role, unnest($1::text[]) AS schema
        WHERE has_schema_privilege('classroom_' || role, schema, 'USAGE') OR pg_has_role('classroom_' || role, 'postgres', 'MEMBER')`,
      [SERVICES],
    );
    expect(rows).toEqual(expect.arrayContaining(SERVICES.map((name) => ({ role: name, schema: name }))));
    expect(rows).toHaveLength(SERVICES.length);
  });

  it('lets billing’s role add to the ledger, what explains it and the statements, and neither change nor delete them', async () => {
    const rows = await stack.rows<{ held: string[] }>(
      `SELECT array_agg(privilege ORDER BY privilege) FILTER (WHERE has_table_privilege('classroom_billing', 'billing.' || name, privilege)) AS held
         FROM unnest(ARRAY['ai_usages', 'ledger_entries', 'statements']) AS name,
              unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege GROUP BY name`,
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ held: ['INSERT', 'SELECT'] })));
  });
});
