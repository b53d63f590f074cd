import { adminApi, ApiClient, eventually, newOrganization, newRoom, person, TestStack } from '@classroom/testing';

const MINUTE = 60_000;
const SCOPES = ['rooms:read', 'rooms:write', 'billing:read', 'keys:manage'];
const unauthorized = { success: false, message: 'Unauthorized', error: 'UNAUTHORIZED' };

jest.setTimeout(60_000);

/** API keys as a backend uses them, with two gateways that cache them. */
describe('an API key', () => {
  let stack: TestStack;
  let own: ApiClient;
  let organizationId: string;
  let value: string;
  let gateways: string[];

  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['organization', 'room', 'billing', 'gateway'] });
    const port = stack.port();
    await stack.addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(port) } }).start();
    gateways = [stack.urls.gateway, `http://127.0.0.1:${port}`];
  });

  afterAll(() => stack?.stop());

  beforeEach(async () => {
    ({ api: own, organizationId, value } = await newOrganization(stack));
  });
  afterEach(() => stack.moveClock(0));

  const create = async (body: object = {}): Promise<{ keyId: string; secret: string }> => {
    const answer = await own.post('/v1/api-keys', { name: 'Backend', scopes: SCOPES, ...body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body.data;
  };
  const everywhere = (secret: string) => gateways.map((url) => new ApiClient(url).bearer(secret));
  const statuses = (secret: string, path = '/v1/rooms') => Promise.all(everywhere(secret).map(async (api) => (await api.get(path)).status));

  it('is accepted in place of its organization’s id, with the organization’s limit', async () => {
    const { secret } = await create();
    const room = await newRoom(new ApiClient(stack.urls.gateway).bearer(secret));
    expect((await own.get(`/v1/room/${room.roomId}/status`)).body.data).toMatchObject({ exists: true });
    for (const api of everywhere(secret)) {
      const answer = await api.get('/v1/rooms');
      expect(answer.body.data.rooms).toMatchObject([{ roomId: room.roomId }]);
      expect(answer.headers.get('ratelimit-policy')).toContain('"organization"');
    }
  });

  it('is refused without a reason if it is invalid', async () => {
    const { secret } = await create();
    const [, prefix = '', random = ''] = /^(vc_live_[0-9a-f]{16}_)(.+)$/.exec(secret) ?? [];
    const last = random.at(-1) === 'A' ? 'E' : 'A';
    const wrong = [
      prefix,
      `${prefix}${random.slice(0, -1)}${last}`,
      `${prefix}${random}x`,
      `${prefix}${random} x`,
      `vc_live_${'0'.repeat(16)}_${random}`,
      `vc_test${secret.slice(7)}`,
      random,
      'vc_live_',
    ];
    for (const token of wrong) {
      const headerSets: Record<string, string>[] = [{}, { 'VF-ORG-ID': value }];
      for (const headers of headerSets) {
        const answer = await new ApiClient(stack.urls.gateway).bearer(token).with(headers).get('/v1/rooms');
        // A token that is not in the form of a key is ignored if an organization id is given.
        const isKey = token.startsWith('vc_');
        expect([token, answer.status]).toEqual([token, isKey || !('VF-ORG-ID' in headers) ? 401 : 200]);
        if (answer.status === 401) expect(answer.body).toMatchObject(unauthorized);
      }
    }
    expect((await own.with({ authorization: `Basic ${secret}` }).get('/v1/rooms')).status).toBe(200);
    expect(await statuses(secret)).toEqual([200, 200]);
  });

  it('may be sent together with a credential of its own organization, and with no other', async () => {
    const { secret } = await create({ scopes: ['rooms:read'] });
    const { value: other } = await newOrganization(stack);
    const withCredential = (of: string) => new ApiClient(stack.urls.gateway).bearer(secret).with({ 'VF-ORG-ID': of });
    expect((await withCredential(value).get('/v1/rooms')).status).toBe(200);
    for (const wrong of [other, organizationId, 'org_unknown', 'not an id', ''])
      expect((await withCredential(wrong).get('/v1/rooms')).body).toMatchObject(unauthorized);
    // The key's scopes apply, not the wider rights of the credential.
    expect((await withCredential(value).get('/v1/billing/balance')).status).toBe(403);
  });

  it('is limited to its scopes, which are checked before the body', async () => {
    const { secret } = await create({ scopes: ['rooms:read'] });
    const api = new ApiClient(stack.urls.gateway).bearer(secret);
    const refused: [string, string, string][] = [
      ['POST', '/v1/room/create', 'rooms:write'],
      ['DELETE', '/v1/room/x', 'rooms:write'],
      ['GET', '/v1/billing/balance', 'billing:read'],
      ['POST', '/v1/participant/sessions', 'reports:read'],
      ['GET', '/v1/room/x/attendance', 'reports:read'],
      ['GET', '/v1/room/x/chat', 'chat:read'],
      ['GET', '/v1/room/x/polls', 'chat:read'],
      ['POST', '/v1/dashboard-tokens', 'dashboard:issue'],
      ['POST', '/v1/room/x/recording/start', 'recordings:write'],
      ['GET', '/v1/room/x/recordings', 'recordings:read'],
      ['GET', '/v1/cdn/videos', 'videos:read'],
      ['POST', '/v1/ai-agent/chat', 'ai:use'],
      ['GET', '/v1/events', 'events:read'],
      ['GET', '/v1/webhook-endpoints', 'webhooks:manage'],
      ['POST', '/v1/api-keys', 'keys:manage'],
    ];
    for (const [method, path, scope] of refused) {
      const answer = await api.call({
        method,
        path,
        ...(method === 'POST' ? { raw: '{', headers: { 'content-type': 'application/json' } } : {}),
      });
      expect([path, answer.status, answer.body.error, answer.body.message]).toEqual([
        path,
        403,
        'FORBIDDEN',
        `This API key lacks the scope ${scope}`,
      ]);
    }
    expect((await api.get('/v1/rooms')).status).toBe(200);
    for (const path of ['/v1/admin/organizations', '/v1/dashboard/profile']) expect((await api.get(path)).status).toBe(401);
  });

  it('creates no key with more rights than its own', async () => {
    const { secret } = await create({ scopes: ['keys:manage', 'rooms:read'] });
    const api = new ApiClient(stack.urls.gateway).bearer(secret);
    expect((await api.post('/v1/api-keys', { name: 'More', scopes: ['rooms:write'] })).status).toBe(403);
    expect((await api.post('/v1/api-keys', { name: 'Less', scopes: ['rooms:read'] })).status).toBe(200);
  });

  it('revokes no key with more rights than its own, but can revoke itself', async () => {
    const bigger = await create();
    const { keyId, secret } = await create({ scopes: ['keys:manage'] });
    const api = new ApiClient(stack.urls.gateway).bearer(secret);
    expect(await api.delete(`/v1/api-keys/${bigger.keyId}`)).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN', message: expect.stringContaining('lacks the scope') },
    });
    expect(await statuses(bigger.secret)).toEqual([200, 200]);
    expect((await api.delete(`/v1/api-keys/${keyId}`)).status).toBe(200);
  });

  it('has two secrets after a rotation, then the new one alone', async () => {
    const { keyId, secret } = await create();
    const rotated = await own.post(`/v1/api-keys/${keyId}/rotate`, { graceSeconds: 3_600 });
    const { secret: next } = rotated.body.data;
    expect(await Promise.all([secret, next].map((it) => statuses(it)))).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await stack.moveClock(61 * MINUTE);
    await eventually(async () => expect(await statuses(secret)).toEqual([401, 401]));
    expect(await statuses(next)).toEqual([200, 200]);
  });

  it('expires at its expiresAt', async () => {
    const { secret } = await create({ expiresAt: new Date(Date.now() + 30 * MINUTE).toISOString() });
    expect(await statuses(secret)).toEqual([200, 200]);
    await stack.moveClock(31 * MINUTE);
    await eventually(async () => expect(await statuses(secret)).toEqual([401, 401]));
  });

  it.each([
    ['revoked', (keyId: string) => own.delete(`/v1/api-keys/${keyId}`)],
    ['rotated with no grace', (keyId: string) => own.post(`/v1/api-keys/${keyId}/rotate`, { graceSeconds: 0 })],
    ['revoked by an operator', (keyId: string) => adminApi(stack).delete(`/v1/admin/organizations/${organizationId}/api-keys/${keyId}`)],
  ])('is refused by all gateways immediately when it is %s', async (_, end) => {
    const { keyId, secret } = await create();
    // From here on both gateways have cached the key, for longer than this test waits.
    expect(await statuses(secret)).toEqual([200, 200]);
    expect((await end(keyId)).status).toBe(200);
    await eventually(async () => expect(await statuses(secret)).toEqual([401, 401]));
  });

  it('shows when it was last used, and never shows its secret again', async () => {
    const { keyId, secret } = await create();
    expect((await own.get('/v1/api-keys')).body.data.apiKeys).toMatchObject([{ keyId, lastUsedAt: null }]);
    await statuses(secret);
    const listed = await eventually(async () => {
      const answer = await own.get('/v1/api-keys');
      expect(answer.body.data.apiKeys).toMatchObject([{ keyId, lastUsedAt: expect.any(String) }]);
      return answer;
    });
    const random = secret.slice(-43);
    expect(listed.text).not.toContain(random);
    for (const name of ['gateway', 'gateway-2', 'organization']) expect(stack.log(name)).not.toContain(random);
    expect(JSON.stringify(stack.spans())).not.toContain(random);
  });

  it('can also be created by operators, once for an Idempotency-Key', async () => {
    const make = () =>
      adminApi(stack).post(
        `/v1/admin/organizations/${organizationId}/api-keys`,
        { name: 'First', scopes: ['keys:manage', 'rooms:write'] },
        { 'Idempotency-Key': 'first' },
      );
    const [first, again] = [await make(), await make()];
    expect([first.status, again.status, again.body.error]).toEqual([200, 409, 'IDEMPOTENCY_CONFLICT']);
    const api = new ApiClient(stack.urls.gateway).bearer(first.body.data.secret);
    expect((await api.post('/v1/room/create', { roomId: 'by-key', title: 'T', participant: person('t') })).status).toBe(200);
    expect((await adminApi(stack).get(`/v1/admin/organizations/${organizationId}/api-keys`)).body.data.apiKeys).toHaveLength(1);
  });
});
