import { randomBytes, randomUUID } from 'node:crypto';
import { adminApi, isLongForm } from '@classroom/testing';
import { AT_ONCE, bearer, campaign, expectOutcomes, TIMES, type Attack } from './scene.js';
import { forged, RedisWire, Wire } from './wire.js';

const MIB = 1024 ** 2;
const REFUSED = '401 UNAUTHORIZED';
const LIMITED = '429 RATE_LIMITED';
const WEBHOOK = '/livekit/webhook';
/** Wrong credentials of a backend from one address in a minute, and of an operator. */
const [GUESSES, OPERATOR_GUESSES] = [300, 30];
const SLOW_CONNECTIONS = 300;

/** Requests that no client library sends. The gateway may answer each once with an error, and must then close the connection. */
const MALFORMED: Record<string, string> = {
  'two lengths': 'POST /v1/room/create HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ncontent-length: 40\r\n\r\n{}{}',
  'a length and chunks':
    'POST /v1/room/create HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/rooms HTTP/1.1\r\nhost: a\r\n\r\n',
  'no HTTP': '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
  'a header of 64 KiB': `GET /v1/rooms HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-long: ${'x'.repeat(64 * 1024)}\r\n\r\n`,
  'a path of 64 KiB': `GET /${'x'.repeat(64 * 1024)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  'a header with a line break': 'GET /v1/rooms HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx: a\nb\r\n\r\n',
  'an unknown method': 'BREW /v1/rooms HTTP/1.1\r\nhost: a\r\n\r\n',
};

/** Everyone who can reach the gateway, without any credential. */
export const STRANGER: Record<string, Attack> = {
  'guesses values of VF-ORG-ID from the address of the schools: none is accepted, and the address is limited': async (scene) => {
    const guess = () => ({
      path: '/v1/rooms',
      from: scene.schoolsAddress,
      headers: { 'VF-ORG-ID': `vfo_${randomBytes(24).toString('base64url')}` },
    });
    const counts = await scene.flood((GUESSES + 2 * AT_ONCE) * TIMES, guess);
    expectOutcomes(counts, REFUSED, LIMITED);
    expect(counts[REFUSED]).toBeLessThanOrEqual(GUESSES + AT_ONCE);
  },

  'guesses the secret of an API key whose prefix it knows': campaign(async (scene) => {
    const { api } = await scene.school('canary school with a key');
    const { secret } = (await api.post('/v1/api-keys', { name: 'Canary', scopes: ['rooms:read'] })).body.data as { secret: string };
    const known = secret.slice(0, -43);
    const from = scene.newAddress();
    const guess = () => ({ path: '/v1/rooms', from, headers: bearer(known + randomBytes(32).toString('base64url')) });
    const counts = await scene.flood((GUESSES + 2 * AT_ONCE) * TIMES, guess);
    expectOutcomes(counts, REFUSED, LIMITED);
    expect(counts[REFUSED]).toBeLessThanOrEqual(GUESSES + AT_ONCE);
  }),

  'guesses the operators’ secret: after thirty attempts its address is limited, and the operators are not': async (scene) => {
    const from = scene.newAddress();
    const path = '/v1/admin/organizations';
    const counts = await scene.flood(100 * TIMES, () => ({ path, from, headers: { 'X-Dispatch-Secret': randomUUID() } }));
    expectOutcomes(counts, REFUSED, LIMITED);
    expect(counts[REFUSED]).toBeLessThanOrEqual(OPERATOR_GUESSES + AT_ONCE);
    expect((await adminApi(scene.stack).get(path)).status).toBe(200);
  },

  'signs tokens itself': async (scene) => {
    const { sid } = scene.neighbours[0] ?? {};
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const common = { sub: 'teacher', exp, iat: exp - 3600, nbf: exp - 3600 };
    const kinds: Record<string, object> = {
      '/v1/classroom/state': { ...common, iss: 'virtual-classroom', aud: 'classroom', sid, ses: 1, ms: Date.now() },
      '/v1/classroom/session': {
        ...common,
        iss: 'devkey',
        video: { room: sid, roomJoin: true },
        attributes: { role: 'TEACHER', use: 'join' },
      },
      '/v1/dashboard/profile': { ...common, iss: 'virtual-classroom', aud: 'dashboard', typ: 'dashboard', role: 'OWNER', org: sid },
    };
    for (const [path, claims] of Object.entries(kinds))
      for (const secret of [undefined, '', 'secret', 'x'.repeat(32)]) {
        const method = path.endsWith('session') ? 'POST' : 'GET';
        const { outcome } = await scene.send({ method, path, headers: bearer(forged(claims, secret)) });
        expect([path, outcome]).toEqual([path, REFUSED]);
      }
  },

  'forges LiveKit’s webhooks under fresh Idempotency-Keys: nothing of them is stored': campaign(async (scene) => {
    const redis = await RedisWire.open(`${scene.stack.urls.redis}/2`);
    const kept = async () => (await redis.list('KEYS', 'kept:*')).length;
    const before = await kept();
    const exp = Math.floor(Date.now() / 1000) + 60;
    const raw = JSON.stringify({ event: 'room_finished', id: randomUUID(), room: { name: scene.neighbours[0]?.sid } });
    const counts = await scene.flood(200 * TIMES, () => ({
      method: 'POST',
      path: WEBHOOK,
      raw,
      headers: {
        'content-type': 'application/webhook+json',
        'Idempotency-Key': randomUUID(),
        authorization: forged({ iss: 'devkey', exp, sha256: 'x' }, 'secret'),
      },
    }));
    expectOutcomes(counts, REFUSED);
    expect(await kept()).toBe(before);
    redis.end();
  }),

  'sends bodies of 10 MB where no credential is needed to begin': campaign(async (scene) => {
    const raw = 'x'.repeat(10 * MIB);
    const paths = [WEBHOOK, '/v1/room/create', '/v1/classroom/session', '/v1/admin/organizations'];
    const counts = await scene.flood(8 * TIMES, (n) => ({ method: 'POST', path: paths[n % paths.length] ?? '', raw }), 8);
    // A client that does not stop sending is cut off.
    expectOutcomes(counts, REFUSED, '413 PAYLOAD_TOO_LARGE', 'cut off');
  }),

  'sends bytes that are not a request, or two in one': async (scene) => {
    for (const [what, bytes] of Object.entries(MALFORMED)) {
      const wire = (await Wire.open(scene.gatewayPort)).write(bytes);
      await wire.closed;
      const statuses = [...wire.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
      expect([what, statuses.length <= 1, statuses.every((status) => status >= 400)]).toEqual([what, true, true]);
      scene.inspect(what, wire.received);
    }
  },

  'holds hundreds of connections whose requests never end': campaign(async (scene) => {
    const wires = await Promise.all(Array.from({ length: SLOW_CONNECTIONS }, () => Wire.open(scene.gatewayPort)));
    const head = 'POST /livekit/webhook HTTP/1.1\r\nhost: a\r\ncontent-type: application/webhook+json\r\ncontent-length: 1000\r\n';
    for (const [n, wire] of wires.entries()) wire.write(n % 2 === 0 ? `${head}x-slow: ` : `${head}\r\n{`);
    expect((await scene.send({ path: '/v1/health/status' })).status).toBe(200);
    // In the short form apps/gateway/test/edge.it.spec.ts tests the timeout itself.
    if (isLongForm) await Promise.all(wires.map(({ closed }) => closed));
    for (const wire of wires) wire.end();
  }),

  'asks from thousands of origins, none of which is allowed': campaign(async (scene) => {
    const from = scene.newAddress();
    const path = '/v1/classroom/session';
    const allowed: (string | null)[] = [];
    for (let n = 0; n < 150 * TIMES; n += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          scene.send({ method: 'OPTIONS', path, from, headers: { origin: `https://${randomUUID()}.example` } }),
        ),
      );
      allowed.push(...answers.map(({ headers }) => headers.get('access-control-allow-origin')));
    }
    expect(new Set(allowed)).toEqual(new Set([null]));
  }),

  'guesses the addresses of rooms, uploads and videos': campaign(async (scene) => {
    const secret = () => randomBytes(24).toString('base64url');
    const paths = [
      () => `/r/RM_${secret().replace(/\W/g, 'a').slice(0, 16)}`,
      () => `/uploads/${secret()}`,
      () => `/v/${secret()}/${secret()}/index.m3u8`,
    ];
    const from = scene.newAddress();
    const counts = await scene.flood(90 * TIMES, (n) => ({ path: paths[n % paths.length]?.() ?? '', from }));
    const found = Object.keys(counts).filter((outcome) => !/^40[01345]/.test(outcome));
    expect(found).toEqual([]);
  }),

  'asks for the health at speed, and is limited': campaign(async (scene) => {
    const from = scene.newAddress();
    const counts = await scene.flood(90 * TIMES, () => ({ path: '/v1/health/status', from }));
    expectOutcomes(counts, '200', LIMITED);
    expect(counts['200']).toBeLessThanOrEqual(60);
  }),
};
