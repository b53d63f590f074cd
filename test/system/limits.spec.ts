import { randomUUID } from 'node:crypto';
import { adminApi, type Answer, ApiClient, eventually, newOrganization, newRoom, person, sleep, TestStack } from '@classroom/testing';

/** The rate limit of an organization, and the answers to a repeated Idempotency-Key. */
describe('the gateway’s limits and stored replies', () => {
  let stack: TestStack;
  const QUOTA = 120;
  const OTHERS = {
    CLASSROOM_REQUESTS_PER_MINUTE: '60',
    ADMIN_REQUESTS_PER_MINUTE: '100',
    PAGE_REQUESTS_PER_MINUTE: '50',
    REFUSED_REQUESTS_PER_MINUTE: '40',
  };

  beforeAll(async () => {
    stack = await TestStack.start({
      apps: ['organization', 'room', 'billing', 'gateway'],
      env: { gateway: { RATE_LIMIT_PER_MINUTE: String(QUOTA), ...OTHERS } },
    });
  });

  afterAll(() => stack?.stop());

  /** LiveKit has no node for a new room while it has not renewed its entry in Redis, which one test stops. */
  const roomOf = (api: ApiClient) => eventually(() => newRoom(api));

  it('refuse requests over the quota with Retry-After, and do not affect other organizations', async () => {
    const { api } = await newOrganization(stack);
    const { api: neighbour } = await newOrganization(stack);
    const answers = await Promise.all(Array.from({ length: QUOTA + 30 }, () => api.get('/v1/room/x/status')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(QUOTA);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ success: false, error: 'RATE_LIMITED' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-policy')).toBe(`"organization";q=${QUOTA};w=60`);
    expect(refused?.headers.get('ratelimit')).toMatch(/^"organization";r=0;t=\d+$/);
    expect((await neighbour.get('/v1/room/x/status')).status).toBe(200);
    // The limit is checked before the body.
    expect((await api.post('/v1/room/create', {})).status).toBe(429);
  });

  it('apply to each gateway by itself while Redis is unreachable', async () => {
    const { api } = await newOrganization(stack);
    await stack.part('redis').stop();
    const answers = await Promise.all(Array.from({ length: QUOTA + 10 }, () => api.get('/v1/room/x/status')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(QUOTA);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    await stack.part('redis').start();
    const { api: neighbour } = await newOrganization(stack);
    const { roomId } = await roomOf(neighbour);
    // The gateway connects again within a second.
    await eventually(async () => {
      const key = { 'Idempotency-Key': randomUUID() };
      const join = () => neighbour.post(`/v1/room/${roomId}/join`, { participant: person('ada') }, key);
      await join();
      expect((await join()).headers.get('idempotency-replayed')).toBe('true');
    });
  });

  it('repeat the first answer for an Idempotency-Key, and refuse another body under it', async () => {
    const { api } = await newOrganization(stack);
    const { roomId } = await roomOf(api);
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { participant: person('ada', 'STUDENT') };
    const first = await api.post(`/v1/room/${roomId}/join`, body, key);
    const again = await api.post(`/v1/room/${roomId}/join`, body, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.data.token).toBe(first.body.data.token);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
    const other = await api.post(`/v1/room/${roomId}/join`, { participant: person('bob') }, key);
    expect([other.status, other.body.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const { api: stranger } = await newOrganization(stack);
    expect((await stranger.post(`/v1/room/${roomId}/join`, body, key)).status).toBe(404);
    expect((await api.post(`/v1/room/${roomId}/join`, body, { 'Idempotency-Key': 'two words' })).status).toBe(400);
  });

  it('create one organization for two requests with one key', async () => {
    const admin = adminApi(stack);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await admin.post('/v1/admin/organizations', { name: 'Once' }, key);
    await sleep(50);
    const again = await admin.post('/v1/admin/organizations', { name: 'Once' }, key);
    expect(again.body.data.organizationId).toBe(first.body.data.organizationId);
  });

  describe('for callers without an organization', () => {
    const stranger = () => new ApiClient(stack.urls.gateway);
    const statuses = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))].sort();
    const times = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

    it('count the requests of each participant in a class separately', async () => {
      const { api } = await newOrganization(stack);
      const { roomId, token } = await roomOf(api);
      const other = await api.post(`/v1/room/${roomId}/join`, { participant: person('ada', 'STUDENT') });
      const open = (bearer: string) => stranger().bearer(bearer).post('/v1/classroom/session');
      const answers: Answer[] = [];
      // Not all at once: on a busy machine the room service would answer some too late.
      for (let wave = 0; wave < 8; wave += 1) answers.push(...(await times(10, () => open(token))));
      expect(statuses(answers)).toEqual([200, 429]);
      expect((await open(other.body.data.token)).status).toBe(200);
    });

    it('count the class pages that are opened from an address', async () => {
      const open = () => fetch(`${stack.urls.gateway}/r/RM_0123456789abcdef`);
      const answers = await times(60, open);
      expect(statuses(answers)).toEqual([404, 429]);
      const refused = answers.find(({ status }) => status === 429);
      expect([refused?.headers.get('ratelimit-policy'), await refused?.json()]).toEqual([
        '"page";q=50;w=60',
        expect.objectContaining({ error: 'RATE_LIMITED', requestId: expect.any(String) }),
      ]);
    });

    it('refuse an address that guesses organizations and secrets, and still serve known callers at that address', async () => {
      const { api } = await newOrganization(stack);
      const admin = adminApi(stack);
      expect((await api.get('/v1/room/x/status')).status).toBe(200);
      expect((await admin.get('/v1/admin/organizations')).status).toBe(200);
      const guess = (headers: Record<string, string>, path: string) => stranger().get(path, headers);
      const byId = () => guess({ 'VF-ORG-ID': randomUUID() }, '/v1/room/x/status');
      expect(statuses(await times(41, byId))).toEqual([401]);
      expect((await byId()).status).toBe(429);
      const bySecret = () => guess({ 'X-Dispatch-Secret': randomUUID() }, '/v1/admin/organizations');
      expect(statuses(await times(5, bySecret))).toEqual([401]);
      expect((await bySecret()).headers.get('ratelimit-policy')).toBe('"refused-operator";q=4;w=60');
      expect((await api.get('/v1/room/x/status')).status).toBe(200);
      expect(statuses(await times(120, () => admin.get('/v1/admin/organizations')))).toEqual([200, 429]);
    });
  });
});
