import { randomUUID } from 'node:crypto';
import { adminApi, eventually, newOrganization, newRoom, person, sleep, TestStack } from '@classroom/testing';

/** How often one organization may ask, and what a repeated Idempotency-Key is answered with. */
describe('limits and kept replies', () => {
  let stack: TestStack;
  const QUOTA = 120;

  beforeAll(async () => {
    stack = await TestStack.start({ env: { gateway: { RATE_LIMIT_PER_MINUTE: String(QUOTA) } } });
  }, 120_000);

  afterAll(() => stack?.stop(), 60_000);

  it('refuses what is over the quota, says when to come back, and leaves others alone', async () => {
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
    // The limit comes before the body is looked at.
    expect((await api.post('/v1/room/create', {})).status).toBe(429);
  });

  it('goes on, each gateway for itself, while Redis is away', async () => {
    const { api } = await newOrganization(stack);
    await stack.part('redis').stop();
    const answers = await Promise.all(Array.from({ length: QUOTA + 10 }, () => api.get('/v1/room/x/status')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(QUOTA);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    await stack.part('redis').start();
  }, 60_000);

  it('gives the first answer to an Idempotency-Key again, and no other body under it', async () => {
    const { api } = await newOrganization(stack);
    const { roomId } = await newRoom(api);
    const key = { 'Idempotency-Key': randomUUID() };
    const body = { participant: person('ada', 'STUDENT') };
    await eventually(async () => expect((await api.post(`/v1/room/${roomId}/join`, body, { 'Idempotency-Key': randomUUID() })).status).toBe(200));
    const first = await api.post(`/v1/room/${roomId}/join`, body, key);
    await sleep(50);
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

  it('makes one organization of two requests with one key', async () => {
    const admin = adminApi(stack);
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await admin.post('/v1/admin/organizations', { name: 'Once' }, key);
    await sleep(50);
    const again = await admin.post('/v1/admin/organizations', { name: 'Once' }, key);
    expect(again.body.data.organizationId).toBe(first.body.data.organizationId);
  });
});
