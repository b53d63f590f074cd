import { randomUUID } from 'node:crypto';
import { eventually, person } from '@classroom/testing';
import { bearer, campaign, expectOutcomes, TIMES, type Attack, type HostileScene } from './scene.js';
import { forged, RedisWire } from './wire.js';

const REFUSED = '401 UNAUTHORIZED';
const INVALID = '400 VALIDATION_FAILED';
const LIMITED = '429 RATE_LIMITED';
/** Requests of an organization in a minute. Gateways may count some by themselves. */
const REQUESTS = 1_000;
const [KEYS, CREDENTIALS, ENDPOINTS] = [20, 10, 16];

async function tenantOf(scene: HostileScene) {
  const school = await scene.school();
  const from = scene.newAddress();
  const headers = { 'VF-ORG-ID': school.value };
  const send = (call: Parameters<HostileScene['send']>[0]) => scene.send({ from, ...call, headers: { ...headers, ...call.headers } });
  const post = (path: string, body?: object) => send({ method: 'POST', path, body });
  return { ...school, send, post, from, headers };
}

const room = (overrides: object = {}) => ({ roomId: randomUUID(), title: 'Mine', participant: person('me'), ...overrides });
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

/** A school's backend with its value of VF-ORG-ID and its API keys. */
export const TENANT: Record<string, Attack> = {
  'sends several times its quota: no more than the quota is let through': campaign(async (scene) => {
    const { from, headers } = await tenantOf(scene);
    const counts = await scene.flood(1.5 * REQUESTS * TIMES, () => ({ path: '/v1/room/any/status', from, headers }));
    expectOutcomes(counts, '200', LIMITED);
    // A long attack reaches into the next minutes.
    expect(counts['200']).toBeLessThanOrEqual(REQUESTS * 1.1 * TIMES);
    expect(counts[LIMITED]).toBeGreaterThan(0);
  }),

  'names the rooms of others in every call about a room': async (scene) => {
    const { send } = await tenantOf(scene);
    const calls: [string, string, object?][] = [
      ['POST', 'join', { participant: person('me') }],
      ['GET', 'participants'],
      ['GET', 'participants/teacher'],
      ['POST', 'participants/teacher/remove'],
      ['PATCH', 'participants/teacher', { role: 'STUDENT' }],
      ['GET', 'polls'],
      ['GET', 'summary'],
      ['GET', 'attendance'],
      ['POST', 'context', { topic: 'Mine' }],
    ];
    for (const { roomId, sid } of scene.neighbours)
      for (const id of [roomId, sid])
        await Promise.all(
          calls.map(async ([method, rest, body]) => {
            const { outcome } = await send({ method, path: `/v1/room/${id}/${rest}`, body });
            expect([rest, outcome]).toEqual([rest, '404 ROOM_NOT_FOUND']);
          }),
        );
  },

  'gives an API key more than the key has': async (scene) => {
    const { post, send } = await tenantOf(scene);
    const { secret, keyId } = (await post('/v1/api-keys', { name: 'Small', scopes: ['keys:manage', 'rooms:read'] })).body.data;
    const other = (await post('/v1/api-keys', { name: 'Large', scopes: ['rooms:write', 'keys:manage'] })).body.data;
    const key = (call: Parameters<HostileScene['send']>[0]) =>
      send({ method: 'POST', ...call, headers: { ...call.headers, ...bearer(secret) } });
    const attempts: [string, Parameters<HostileScene['send']>[0]][] = [
      ['create', { path: '/v1/api-keys', body: { name: 'Mine', scopes: ['rooms:write'] } }],
      ['rotate', { path: `/v1/api-keys/${other.keyId}/rotate` }],
      ['revoke', { method: 'DELETE', path: `/v1/api-keys/${other.keyId}` }],
      ['credential', { path: '/v1/credentials' }],
      ['room', { path: '/v1/room/create', body: room() }],
    ];
    for (const [what, call] of attempts) expect([what, (await key(call)).outcome]).toEqual([what, '403 FORBIDDEN']);
    expect((await send({ method: 'DELETE', path: `/v1/api-keys/${keyId}` })).outcome).toBe('200');
    await eventually(async () => expect((await key({ method: 'GET', path: '/v1/rooms' })).outcome).toBe(REFUSED));
  },

  'combines its credentials with those of others': async (scene) => {
    const { value, post, from } = await tenantOf(scene);
    const { secret } = (await post('/v1/api-keys', { name: 'Mine', scopes: ['rooms:read'] })).body.data;
    const [neighbour] = scene.neighbours;
    const named = { 'VF-ORG-ID': neighbour?.organizationId ?? '' };
    for (const headers of [named, { ...named, ...bearer(secret) }, { 'X-Dispatch-Secret': value }, bearer(value)] as Record<
      string,
      string
    >[])
      for (const path of ['/v1/rooms', '/v1/admin/organizations', '/v1/dashboard/profile'])
        expect([path, (await scene.send({ path, from, headers })).outcome]).toEqual([path, REFUSED]);
    const claims = {
      typ: 'dashboard',
      iss: 'virtual-classroom',
      aud: 'dashboard',
      org: neighbour?.organizationId,
      role: 'OWNER',
      exp: 9_999_999_999,
    };
    for (const secretOfToken of [undefined, value, secret]) {
      const headers = bearer(forged(claims, secretOfToken));
      expect((await scene.send({ path: '/v1/dashboard/profile', from, headers })).outcome).toBe(REFUSED);
    }
  },

  'creates and revokes credentials in a loop': campaign(async (scene) => {
    const { post, send } = await tenantOf(scene);
    const created: string[] = [];
    for (let n = 0; n < CREDENTIALS + 5; n += 1) {
      const { outcome, body } = await post('/v1/credentials');
      if (outcome === '200') created.push(body.data.credentialId);
      else expect(outcome).toBe('409 TOO_MANY_CREDENTIALS');
    }
    // The first came with the organization.
    expect(created).toHaveLength(CREDENTIALS - 1);
    for (let n = 0; n < 20 * TIMES; n += 1) {
      expect((await send({ method: 'DELETE', path: `/v1/credentials/${created.pop()}` })).outcome).toBe('200');
      created.push((await post('/v1/credentials')).body.data.credentialId);
    }
    expect((await send({ path: '/v1/credentials' })).body.data.credentials).toHaveLength(CREDENTIALS);
  }),

  'creates API keys and webhook endpoints without end': campaign(async (scene) => {
    const { from, headers, send } = await tenantOf(scene);
    const keys = await scene.flood(2 * KEYS, () => ({
      method: 'POST',
      path: '/v1/api-keys',
      from,
      headers,
      body: { name: 'Many', scopes: ['rooms:read'] },
    }));
    expect(keys).toEqual({ 200: KEYS, '409 TOO_MANY_API_KEYS': KEYS });
    const endpoints = await scene.flood(2 * ENDPOINTS, () => ({
      method: 'POST',
      path: '/v1/webhook-endpoints',
      from,
      headers,
      body: { url: 'https://hostile.example/hook' },
    }));
    expect(endpoints).toEqual({ 200: ENDPOINTS, '409 TOO_MANY_WEBHOOK_ENDPOINTS': ENDPOINTS });
    expect((await send({ path: '/v1/webhook-endpoints' })).body.data.endpoints).toHaveLength(ENDPOINTS);
  }),

  'sends webhooks to addresses inside': async (scene) => {
    const { post, send } = await tenantOf(scene);
    const nats = scene.stack.ports.parts['natsMonitor'];
    const hosts = [
      `127.0.0.1:${nats}`,
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f000001',
      '10.0.0.1',
      'localhost',
    ];
    const urls = [`http://127.0.0.1:${nats}/varz`, 'file:///etc/passwd', ...hosts.map((host) => `https://${host}/varz`)];
    for (const url of urls) {
      const created = await post('/v1/webhook-endpoints', { url });
      if (created.outcome === INVALID) continue;
      const { endpointId } = created.body.data;
      const { deliveryId } = (await post(`/v1/webhook-endpoints/${endpointId}/test`)).body.data;
      const path = `/v1/webhook-endpoints/${endpointId}/deliveries/${deliveryId}` as const;
      await eventually(async () =>
        expect((await send({ path })).body.data.lastAttempt).toMatchObject({ statusCode: null, responseBody: null }),
      );
      await send({ method: 'DELETE', path: `/v1/webhook-endpoints/${endpointId}` });
    }
  },

  'fills the stored answers with fresh Idempotency-Keys': campaign(async (scene) => {
    const { from, headers } = await tenantOf(scene);
    const redis = await RedisWire.open(`${scene.stack.urls.redis}/2`);
    const kept = async () => (await redis.list('KEYS', 'kept:*')).length;
    const before = await kept();
    await scene.flood(1.2 * REQUESTS, () => ({
      method: 'POST',
      path: '/v1/cdn/videos',
      from,
      headers: { ...headers, 'Idempotency-Key': randomUUID() },
      body: { title: 'x'.repeat(1000) },
    }));
    // The rate limits the number of entries, and a budget of bytes a day their size.
    expect((await kept()) - before).toBeLessThanOrEqual(REQUESTS * 1.1);
    redis.end();
  }),

  'sends bodies of 50 MB': campaign(async (scene) => {
    const { from, headers } = await tenantOf(scene);
    const paths = ['/v1/room/create', '/v1/ai-agent/chat', '/v1/cdn/videos', '/v1/credentials'];
    const counts = await scene.floodLarge(8 * TIMES, (n) => ({ path: paths[n % paths.length] ?? '', from, headers, mib: 50 }));
    expectOutcomes(counts, '413 PAYLOAD_TOO_LARGE', 'cut off');
  }),

  'sends values that are too large, deep or many': async (scene) => {
    const { post, send } = await tenantOf(scene);
    const bodies: object[] = [
      room({ metadata: { text: 'x'.repeat(8 * 1024) } }),
      room({ metadata: nested(90) as object, roomDescription: 'x'.repeat(4_001) }),
      room({ title: 'x'.repeat(257) }),
      room({ roomId: 'x'.repeat(129) }),
      room({ participant: { ...person('me'), name: 'x'.repeat(1_000) } }),
      room({ participant: { ...person('me'), photoURL: `javascript:${'x'.repeat(100)}` } }),
      room({ settings: { maxParticipants: 1e9 } }),
      room({ settings: { emptyTimeout: 1e9 } }),
      room({ customization: { theme: 'x'.repeat(65) } }),
    ];
    for (const [n, body] of bodies.entries()) expect([n, (await post('/v1/room/create', body)).outcome]).toEqual([n, INVALID]);
    const deep = `{"metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`;
    expect((await send({ method: 'POST', path: '/v1/room/create', raw: deep })).outcome).toBe(INVALID);
    expect((await send({ path: '/v1/rooms' })).body.data.rooms).toHaveLength(1);
  },
};
