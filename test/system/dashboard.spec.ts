import { createHmac } from 'node:crypto';
import {
  adminApi,
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  present,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

const LISTS = [
  'dashboard/profile',
  'dashboard/domains',
  'billing/balance',
  'billing/statements',
  'billing/ledger',
  'rooms',
  'cdn/videos',
].map((it) => `/v1/${it}`);
/** What the console reads in addition. */
const OF_CLASS = ['', '/participants', '/attendance', '/engagement', '/consents', '/polls', '/chat'];
const unauthorized = { success: false, message: 'Unauthorized', error: 'UNAUTHORIZED' };

/** What the staff of an organization sees of it, with tokens that an operator has created. */
describe('the dashboard', () => {
  let stack: RunningStack;
  let own: ApiClient;
  let organizationId: string;
  let value: string;
  let room: Awaited<ReturnType<typeof newRoom>>;
  let owner: string;
  let member: string;

  beforeAll(async () => {
    stack = await sharedStack();
    ({
      api: own,
      organizationId,
      value,
    } = await newOrganization(stack, {
      name: 'Lakeside',
      verifiedDomains: ['lakeside.example'],
      branding: { primaryColor: '#1a73e8' },
    }));
    room = await newRoom(own, { title: 'Geometry' });
    [owner, member] = await Promise.all([tokenFor('OWNER'), tokenFor('MEMBER')]);
  });

  const tokenOf = (of: string, body: object) => adminApi(stack).post(`/v1/admin/organizations/${of}/dashboard-tokens`, body);
  const tokenFor = async (role: string, of = organizationId): Promise<string> =>
    (await tokenOf(of, { subject: `a ${role}`, role })).body.data.token;
  const as = (token: string) => new ApiClient(stack.urls.gateway).bearer(token);
  const signed = (header: object, payload: object, secret: string) => {
    const text = [header, payload].map((it) => Buffer.from(JSON.stringify(it)).toString('base64url')).join('.');
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it('shows an organization to its users, without its secret id', async () => {
    const shown = await Promise.all([...LISTS, `/v1/room/${room.roomId}/recordings`].map((path) => as(member).get(path)));
    expect(shown.map(({ status }) => status)).toEqual(shown.map(() => 200));
    const [profile, domains, balance, statements, ledger, rooms, videos, recordings] = shown.map(({ body }) => body.data);
    expect(profile).toMatchObject({ name: 'Lakeside', billing: { type: 'PREPAID' }, subject: 'a MEMBER', role: 'MEMBER' });
    expect(profile).toHaveProperty('branding', { logoUrl: null, servedLogoUrl: null, primaryColor: '#1a73e8', accentColor: null });
    expect(domains).toMatchObject({ domains: [{ domain: 'lakeside.example', status: 'VERIFIED', record: null }] });
    expect([balance, statements]).toMatchObject([{ type: 'PREPAID', remainingCredits: 1000 }, []]);
    expect(ledger).toMatchObject({ entries: [{ kind: 'OPENING', credits: 1000 }] });
    expect(rooms).toMatchObject({ rooms: [{ roomId: room.roomId, title: 'Geometry' }] });
    expect([videos, recordings]).toMatchObject([{ videos: [] }, []]);
    for (const { text, headers } of shown) {
      expect(text).not.toContain(value);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(Buffer.from(present(member.split('.')[1]), 'base64url').toString()).not.toContain(value);
  });

  it('shows a class, its costs and the audit log, without any id of the organization', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const paths = [
      ...OF_CLASS.map((part) => `/v1/room/${room.roomId}${part}`),
      `/v1/dashboard/rooms/${room.roomId}/connections`,
      `/v1/ai-tutor/summary/${room.roomId}`,
      `/v1/dashboard/usage/days?from=${today}&to=${today}`,
      `/v1/dashboard/usage/classes?day=${today}`,
      '/v1/dashboard/audit',
    ];
    const shown = await Promise.all(paths.map((path) => as(member).get(path)));
    expect(shown.map(({ status }, n) => [paths[n], status])).toEqual(paths.map((path) => [path, 200]));
    for (const { text } of shown) for (const id of [value, organizationId]) expect(text).not.toContain(id);
    const [whole, participants] = shown.map(({ body }) => body.data);
    expect(whole).toMatchObject({ title: 'Geometry', status: 'created', settings: { waitingRoom: 'OFF' } });
    expect(participants).toMatchObject({ participants: [{ uid: 'teacher', isConnected: false }] });
    const download = await as(member).get(`/v1/room/${room.roomId}/recordings/download`);
    expect([download.status, download.body.error]).toEqual([409, 'RECORDING_IN_PROGRESS']);
    await eventually(async () => {
      const { entries } = (await as(member).get('/v1/dashboard/audit?operation=issueDashboardTokenForOrganization')).body.data;
      expect(entries.map(({ target }: { target: object }) => target)).toContainEqual({ subject: 'a MEMBER' });
    });
  });

  it('shows the answers to a question for consent, page by page, as a backend reads them', async () => {
    const recording = { ask: 'join', without: 'mute', version: '1', text: 'May this class be recorded?' };
    const { roomId } = await newRoom(own, { settings: { consent: { recording } } });
    const { token } = (await own.post(`/v1/room/${roomId}/join`, { participant: person('bob', 'STUDENT') })).body.data;
    for (const granted of [true, false]) await as(token).post('/v1/classroom/consent', { purpose: 'recording', version: '1', granted });
    const path = `/v1/room/${roomId}/consents` as const;
    const all = (await as(member).get(path)).body;
    expect(all.data.consents).toMatchObject([true, false].map((granted) => ({ uid: 'bob', version: '1', granted })));
    expect(all).toEqual((await own.get(path)).body);
    const first = (await as(member).get(`${path}?limit=1`)).body.data;
    const second = (await as(member).get(`${path}?limit=1&cursor=${first.nextCursor}`)).body.data;
    expect([...first.consents, ...second.consents]).toEqual(all.data.consents);
    expect(second.nextCursor).toBeNull();
    expect((await as(member).get(`${path}?cursor=x`)).status).toBe(400);
  });

  it('lets an owner change the branding, and a member only read', async () => {
    expect((await as(member).patch('/v1/dashboard/branding', { accentColor: '#f9a825' })).body).toMatchObject({ error: 'FORBIDDEN' });
    const changed = await as(owner).patch('/v1/dashboard/branding', { accentColor: '#f9a825' });
    expect(changed.body.data).toEqual({ logoUrl: null, servedLogoUrl: null, primaryColor: '#1a73e8', accentColor: '#f9a825' });
    expect((await as(owner).patch('/v1/dashboard/branding', { accentColor: 'red' })).body.error).toBe('VALIDATION_FAILED');
  });

  it('shows webhooks and API keys to owners only', async () => {
    const paths = ['/v1/webhook-endpoints', '/v1/api-keys', '/v1/webhook-endpoints/we_00000000000000000000/deliveries'];
    const [answers, refusals] = await Promise.all([owner, member].map((token) => Promise.all(paths.map((path) => as(token).get(path)))));
    expect(answers?.map(({ status, body }) => [status, body.error])).toEqual([
      [200, undefined],
      [200, undefined],
      [404, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
    ]);
    expect(refusals?.map(({ status, body }) => [status, body.error])).toEqual(paths.map(() => [403, 'FORBIDDEN']));
  });

  it('lets an owner create and delete webhooks and API keys, with a key’s token only what that key may', async () => {
    const [endpoints, keys] = ['/v1/webhook-endpoints', '/v1/api-keys'] as const;
    const endpoint = { url: 'http://127.0.0.1:9/hook', eventTypes: ['room.finished'] };
    const key = { name: 'Timetable', scopes: ['rooms:read', 'rooms:write'] };
    const statusOf = async (token: string, path: string, body: object) => (await as(token).post(path, body)).status;
    expect([await statusOf(member, endpoints, endpoint), await statusOf(member, keys, key)]).toEqual([403, 403]);
    const hook = (await as(owner).post(endpoints, endpoint)).body.data;
    expect(hook).toMatchObject({ ...endpoint, secret: expect.stringMatching(/^whsec_/) });
    const made = (await as(owner).post(keys, key)).body.data;
    expect((await as(made.secret).get('/v1/rooms')).status).toBe(200);
    expect((await as(owner).delete(`${endpoints}/${hook.endpointId}`)).status).toBe(200);
    expect((await as(owner).delete(`${keys}/${made.keyId}`)).status).toBe(200);
    await eventually(async () => expect((await as(made.secret).get('/v1/rooms')).status).toBe(401));
    const tokenBy = async (...scopes: string[]): Promise<string> => {
      const { secret } = (await own.post('/v1/api-keys', { name: 'Issuer', scopes: ['dashboard:issue', ...scopes] })).body.data;
      return (await as(secret).post('/v1/dashboard-tokens', { subject: 'head', role: 'OWNER' })).body.data.token;
    };
    const [weak, strong] = [await tokenBy(), await tokenBy('keys:manage', 'rooms:read')];
    expect([
      await statusOf(weak, endpoints, endpoint),
      await statusOf(weak, keys, key),
      await statusOf(strong, endpoints, endpoint),
    ]).toEqual([403, 403, 403]);
    // No scope that the issuing key lacks.
    expect((await as(strong).post(keys, key)).body.error).toBe('FORBIDDEN');
    expect((await as(strong).post(keys, { ...key, scopes: ['rooms:read'] })).status).toBe(200);
  });

  it('lets an owner change the retention, and a member only read', async () => {
    const path = '/v1/dashboard/retention';
    const before = (await as(member).get('/v1/dashboard/profile')).body.data.retention;
    expect((await as(member).patch(path, { chat: 30 })).body).toMatchObject({ error: 'FORBIDDEN' });
    expect((await as(owner).patch(path, { chat: 30, addresses: 7 })).body.data).toEqual({ ...before, chat: 30, addresses: 7 });
    expect((await as(owner).patch(path, { chat: null })).body.data).toEqual({ ...before, addresses: 7 });
    expect((await adminApi(stack).get(`/v1/admin/organizations/${organizationId}`)).body.data.retention).toEqual({
      ...before,
      addresses: 7,
    });
    for (const body of [{}, { chat: 0 }, { chat: 1.5 }, { billing: 1 }])
      expect((await as(owner).patch(path, body)).body.error).toBe('VALIDATION_FAILED');
    // Nothing is as old, of any class of data.
    for (const dataClass of Object.keys(before)) {
      const effect = await as(owner).get(`${path}/effect?dataClass=${dataClass}&kept=5`);
      expect(effect.body.data).toEqual({ dataClass, erased: 0, stored: 0, oldestAt: null, before: expect.any(String) });
    }
    expect((await as(member).get(`${path}/effect?dataClass=chat&kept=5`)).body.error).toBe('FORBIDDEN');
    for (const query of ['dataClass=billing&kept=5', 'dataClass=chat&kept=0', 'dataClass=chat'])
      expect((await as(owner).get(`${path}/effect?${query}`)).body.error).toBe('VALIDATION_FAILED');
  });

  it('lets an owner set credit alerts, and a member only read', async () => {
    const path = '/v1/billing/alerts';
    const alerts = { remaining: [500], consumed: [2_000] };
    expect((await as(member).put(path, alerts)).body.error).toBe('FORBIDDEN');
    expect((await as(owner).put(path, alerts)).body.data).toEqual(alerts);
    expect((await as(member).get(path)).body.data).toEqual(alerts);
    expect((await own.get('/v1/billing/alerts')).body.data).toEqual(alerts);
    for (const body of [{ remaining: [-1] }, { consumed: [0] }, { remaining: [1.5] }, { remaining: 'all' }])
      expect((await as(owner).put(path, body)).body.error).toBe('VALIDATION_FAILED');
  });

  it('keeps organizations apart', async () => {
    const { organizationId: other } = await newOrganization(stack);
    const foreign = as(await tokenFor('OWNER', other));
    for (const both of [foreign, foreign.with({ 'VF-ORG-ID': value })])
      expect((await both.get('/v1/dashboard/profile')).body.data.name).toBe('Test school');
    expect((await foreign.get('/v1/rooms')).body.data.rooms).toEqual([]);
    expect((await foreign.get(`/v1/room/${room.roomId}/recordings`)).body.error).toBe('ROOM_NOT_FOUND');
    // A credential for VF-ORG-ID has every right of its organization, whatever else is sent.
    expect((await foreign.with({ 'VF-ORG-ID': value }).get(`/v1/room/${room.roomId}/recordings`)).status).toBe(200);
  });

  it('gives its tokens no other right of a backend, an operator or a participant', async () => {
    for (const path of ['/v1/recording-bucket', '/v1/credentials', '/v1/presets', '/v1/events', '/v1/admin/organizations']) {
      expect([path, (await as(owner).get(path)).status]).toEqual([path, 401]);
    }
    for (const path of ['/v1/classroom/session', '/v1/classroom/end'])
      expect([path, (await as(owner).post(path)).status]).toEqual([path, 401]);
  });

  it('accepts no other token, credential or forgery', async () => {
    const session = await as(room.token).post('/v1/classroom/session');
    const key = await own.post('/v1/api-keys', { name: 'All', scopes: ['rooms:read', 'billing:read', 'keys:manage'] });
    const [header = '', payload = '', signature = ''] = owner.split('.');
    const [head, claims] = [header, payload].map(
      (it) => JSON.parse(Buffer.from(it, 'base64url').toString()) as Record<string, unknown>,
    ) as [object, object];
    const secret = stack.secrets['dashboardTokenSecret'] ?? '';
    expect((await as(signed(head, claims, secret)).get('/v1/dashboard/profile')).status).toBe(200);
    const refused = {
      'a join token': room.token,
      'a classroom token': session.body.data.classroomToken,
      'a LiveKit token': session.body.data.livekitToken,
      'an API key': key.body.data.secret,
      'a value of VF-ORG-ID': value,
      'the operators’ secret': stack.secrets['dispatchSecret'] ?? '',
      'no algorithm': `${Buffer.from('{"alg":"none","typ":"dashboard+jwt"}').toString('base64url')}.${payload}.`,
      'another secret': signed(head, claims, stack.secrets['classroomTokenSecret'] ?? ''),
      'another audience': signed(head, { ...claims, aud: 'classroom' }, secret),
      'an organization that is none': signed(head, { ...claims, org: 'org_unknown' }, secret),
      'an end that is past': signed(head, { ...claims, iat: 1, exp: 2 }, secret),
      'half of it': `${header}.${payload}.${signature.slice(0, 9)}`,
      'one too long': `${owner}${'A'.repeat(9_000)}`,
    };
    for (const [what, token] of Object.entries(refused)) {
      const answer = await as(token).get('/v1/dashboard/profile');
      expect([what, answer.status, answer.body]).toEqual([what, 401, expect.objectContaining(unauthorized)]);
    }
    const others: Record<string, string>[] = [{}, { 'VF-ORG-ID': value }, { 'X-Dispatch-Secret': stack.secrets['dispatchSecret'] ?? '' }];
    for (const headers of others) {
      expect((await new ApiClient(stack.urls.gateway, headers).get('/v1/dashboard/profile')).status).toBe(401);
    }
  });

  it('refuses all tokens of an organization once an operator has revoked them, and accepts new ones', async () => {
    const { organizationId: school } = await newOrganization(stack);
    const path = `/v1/admin/organizations/${school}/dashboard-tokens` as const;
    const [first, second] = await Promise.all([tokenFor('OWNER', school), tokenFor('MEMBER', school)]);
    const profileOf = async (token: string) => (await as(token).get('/v1/dashboard/profile')).status;
    expect([await profileOf(first), await profileOf(second)]).toEqual([200, 200]);

    for (const stranger of [own, as(first), new ApiClient(stack.urls.gateway)]) expect((await stranger.delete(path)).status).toBe(401);
    const revoked = await adminApi(stack).delete(path);
    expect(revoked.body).toMatchObject({ success: true, data: { organizationId: school, revokedAt: expect.any(String) as unknown } });
    const third = await tokenFor('OWNER', school);
    expect(await profileOf(third)).toBe(200);
    // The gateway receives the event a moment after the answer.
    await eventually(async () => expect([await profileOf(first), await profileOf(second)]).toEqual([401, 401]));
    expect([await profileOf(third), await profileOf(owner)]).toEqual([200, 200]);
    expect((await adminApi(stack).delete(path.replace(school, 'org_unknown'))).body.error).toBe('ORGANIZATION_NOT_FOUND');
  });

  it('signs staff in by their own school’s credential, or a key with the scope for it, which it outlives by nothing', async () => {
    const { api, value: theirs } = await newOrganization(stack, { name: 'Hillside' });
    const body = { subject: 'head', role: 'OWNER' };
    const anonymous = new ApiClient(stack.urls.gateway);
    const made = await api.post('/v1/dashboard-tokens', { ...body, ttlSeconds: 600 });
    expect(Math.abs(Date.parse(made.body.data.expiresAt) - Date.now() - 600_000)).toBeLessThan(60_000);
    const profileOf = async (token: string) => (await as(token).get('/v1/dashboard/profile')).body;
    expect((await profileOf(made.body.data.token)).data).toMatchObject({ name: 'Hillside', ...body });
    const { code, token, sessionId } = made.body.data;
    const open = () => anonymous.post('/v1/dashboard/session', { code });
    const opened = await Promise.all([open(), open(), open()]);
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(opened.find(({ status }) => status === 200)?.body.data).toEqual({ token, expiresAt: made.body.data.expiresAt, sessionId });
    for (const wrong of [`vdc_${'x'.repeat(32)}`, token, ''])
      expect([400, 401]).toContain((await anonymous.post('/v1/dashboard/session', { code: wrong })).status);
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    const keyWith = async (...scopes: string[]) =>
      anonymous.bearer((await api.post('/v1/api-keys', { name: 'Platform', scopes, expiresAt })).body.data.secret);
    const [issuer, other] = [await keyWith('dashboard:issue'), await keyWith('keys:manage', 'reports:read')];
    const byKey = await issuer.post('/v1/dashboard-tokens', { ...body, ttlSeconds: 43_200 });
    expect(Date.parse(byKey.body.data.expiresAt)).toBeLessThanOrEqual(Date.parse(expiresAt));
    for (const refused of [other, anonymous, as(owner), as(room.token)])
      expect([401, 403]).toContain((await refused.post('/v1/dashboard-tokens', body)).status);
    for (const wrong of [{ role: 'ADMIN' }, { subject: '' }, { ttlSeconds: 59 }])
      expect((await api.post('/v1/dashboard-tokens', { ...body, ...wrong })).body.error).toBe('VALIDATION_FAILED');
    await eventually(async () => {
      const { entries } = (await api.get('/v1/audit?operation=issueDashboardToken&limit=1')).body.data;
      expect(entries).toMatchObject([{ actor: { type: 'api-key' }, status: 403 }]);
      expect((await api.get('/v1/audit?operation=issueDashboardToken')).body.data.entries).toContainEqual(
        expect.objectContaining({ target: { subject: 'head' }, status: 200 }),
      );
    });
    // Its tokens end with the key, and no others do.
    const { apiKeys } = (await api.get('/v1/api-keys')).body.data;
    const issuing = apiKeys.find(({ scopes }) => scopes.includes('dashboard:issue'));
    expect((await profileOf(byKey.body.data.token)).success).toBe(true);
    expect((await api.delete(`/v1/api-keys/${issuing?.keyId}`)).status).toBe(200);
    await eventually(async () => expect((await profileOf(byKey.body.data.token)).error).toBe('UNAUTHORIZED'));
    expect((await profileOf(token)).success).toBe(true);
    expect((await api.delete('/v1/dashboard-tokens')).status).toBe(200);
    await eventually(async () => expect((await profileOf(token)).error).toBe('UNAUTHORIZED'));
    expect((await profileOf(owner)).success).toBe(true);
    expect(Buffer.from(present(made.body.data.token.split('.')[1]), 'base64url').toString()).not.toContain(theirs);
  });

  it('ends one session for its person, an owner, the school or an operator, and no other', async () => {
    const { api, organizationId: school } = await newOrganization(stack, { name: 'Bayside' });
    const signIn = async (subject: string, role: 'OWNER' | 'MEMBER') => {
      const { token, sessionId } = (await api.post('/v1/dashboard-tokens', { subject, role })).body.data;
      return { api: as(token), sessionId: sessionId as string };
    };
    const end = async (by: ApiClient, path: string) => (await by.delete(path)).status;
    const statusesOf = (...of: { api: ApiClient }[]) =>
      Promise.all(of.map(async (one) => (await one.api.get('/v1/dashboard/profile')).status));
    const [head, deputy, tutor, clerk] = await Promise.all([
      signIn('head', 'OWNER'),
      signIn('deputy', 'MEMBER'),
      signIn('tutor', 'MEMBER'),
      signIn('clerk', 'MEMBER'),
    ]);
    const own = (of: { sessionId: string }) => `/v1/dashboard-sessions/${of.sessionId}` as const;
    expect(await end(deputy.api, own(head))).toBe(403);
    expect(await end(as(owner), own(head))).toBe(404);
    const wrong = await head.api.delete('/v1/dashboard-sessions/mine');
    expect([wrong.status, wrong.body.details]).toEqual([400, [expect.objectContaining({ path: 'sessionId' })]]);
    expect(await statusesOf(head, deputy, tutor, clerk)).toEqual([200, 200, 200, 200]);
    expect(await end(deputy.api, own(deputy))).toBe(200);
    expect(await statusesOf(head, deputy, tutor, clerk)).toEqual([200, 401, 200, 200]);
    // The audit log says whose session it is.
    const found = await eventually(async () => {
      const { entries } = (await head.api.get('/v1/dashboard/audit?operation=issueDashboardToken')).body.data;
      const entry = entries.find(({ target }) => target['subject'] === 'tutor');
      expect(entry).toBeDefined();
      return entry;
    });
    expect(found?.id).toBe(tutor.sessionId);
    expect(await end(head.api, own(tutor))).toBe(200);
    expect(await end(api, `/v1/dashboard-sessions/${clerk.sessionId}`)).toBe(200);
    expect(await statusesOf(head, deputy, tutor, clerk)).toEqual([200, 401, 401, 401]);
    expect(await end(adminApi(stack), `/v1/admin/organizations/${school}/dashboard-sessions/${head.sessionId}`)).toBe(200);
    expect(await statusesOf(head)).toEqual([401]);
    expect(await end(api, `/v1/dashboard-sessions/${clerk.sessionId}`)).toBe(404);
  });

  it('has short-lived tokens that only operators create, for existing organizations', async () => {
    const [path, body] = [`/v1/admin/organizations/${organizationId}/dashboard-tokens`, { subject: 's', role: 'OWNER' }];
    expect((await own.post(path, body)).status).toBe(401);
    expect((await as(owner).post(path, body)).status).toBe(401);
    expect((await tokenOf('org_unknown', body)).body.error).toBe('ORGANIZATION_NOT_FOUND');
    for (const wrong of [{ role: 'ADMIN' }, { subject: '' }, { ttlSeconds: 59 }, { ttlSeconds: 43_201 }]) {
      expect((await tokenOf(organizationId, { ...body, ...wrong })).body.error).toBe('VALIDATION_FAILED');
    }
    const { expiresAt } = (await tokenOf(organizationId, { ...body, ttlSeconds: 600 })).body.data;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 600_000)).toBeLessThan(60_000);
  });
});
