import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  type RunningStack,
  sharedStack,
} from '@classroom/testing';

/** What a backend developer sees: the envelope, the error codes, the order of checks, the formats of ids. */
describe('the public API', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let value: string;
  let anonymous: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api, value } = await newOrganization(stack));
    anonymous = new ApiClient(stack.urls.gateway);
  });

  afterAll(async () => {
    await RtcParticipant.disposeAll();
  });

  const creation = (overrides: object = {}) => ({ roomId: `r-${randomUUID()}`, title: 'T', participant: person('t'), ...overrides });

  it('answers in the envelope if no endpoint matches', async () => {
    const { hostname, port } = new URL(stack.urls.gateway);
    const answerTo = async (bytes: string) => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.write(bytes);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return [head.split(' ')[1], (JSON.parse(body) as { error: string }).error];
    };
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
    const refused = await Promise.all(
      ['hello\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', get('/assets/../x'), get('/assets/%00'), get('/uploads/../x')].map(
        answerTo,
      ),
    );
    expect(refused).toEqual([
      ['400', 'VALIDATION_FAILED'],
      ['405', 'METHOD_NOT_ALLOWED'],
      ['404', 'NOT_FOUND'],
      ['404', 'NOT_FOUND'],
      ['400', 'VALIDATION_FAILED'],
    ]);
  });

  describe('in its order of checks', () => {
    it.each([
      ['GET', '/v1/nothing', 404, 'NOT_FOUND'],
      ['PUT', '/v1/room/create', 405, 'METHOD_NOT_ALLOWED'],
      ['QUERY', '/v1/room/create', 405, 'METHOD_NOT_ALLOWED'],
      ['QUERY', '/v1/nothing', 404, 'NOT_FOUND'],
      ['GET', '/v1/room/x/status', 401, 'UNAUTHORIZED'],
      ['POST', '/v1/room/create', 401, 'UNAUTHORIZED'],
      ['DELETE', '/v1/room/', 401, 'UNAUTHORIZED'],
      ['GET', '/v1/admin/organizations', 401, 'UNAUTHORIZED'],
      ['POST', '/v1/classroom/session', 401, 'UNAUTHORIZED'],
      ['POST', '/livekit/webhook', 401, 'UNAUTHORIZED'],
    ])('answers %s %s without credentials with %i', async (method, path, status, error) => {
      const answer = await anonymous.call({ method, path });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ success: false, error });
      expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId);
      expect(answer.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      if (status === 401) expect(answer.body.message).toBe('Unauthorized');
    });

    it.each([
      ['the path', 'POST', '/v1/nothing', 404],
      ['the method', 'PUT', '/v1/room/create', 405],
      ['the caller', 'POST', '/v1/room/create', 401],
    ])('checks %s before it reads the body', async (_, method, path, status) => {
      for (const raw of ['{not json', 'x'.repeat(2_000_000), '{}']) {
        expect((await anonymous.call({ method, path, raw })).status).toBe(status);
        expect((await anonymous.call({ method, path, raw, headers: { 'content-type': 'text/csv' } })).status).toBe(status);
      }
    });

    it('names the allowed methods', async () => {
      expect((await anonymous.call({ method: 'PUT', path: '/v1/room/some/status' })).headers.get('allow')).toBe('GET');
    });

    it('accepts only a credential of an organization as VF-ORG-ID', async () => {
      for (const id of ['', 'org_unknown', 'with space', 'x'.repeat(65)]) {
        expect((await anonymous.get('/v1/room/x/status', { 'VF-ORG-ID': id })).status).toBe(401);
      }
    });

    it('compares the credential case-sensitively', async () => {
      const swapped = value.replace(/[a-z]/i, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
      expect((await anonymous.get('/v1/room/x/status', { 'VF-ORG-ID': swapped })).status).toBe(401);
    });
  });

  describe('for bodies', () => {
    it.each([
      ['broken JSON', '{not json', 'application/json', 400, 'VALIDATION_FAILED'],
      ['no body', '', 'application/json', 400, 'VALIDATION_FAILED'],
      ['an array', '[]', 'application/json', 400, 'VALIDATION_FAILED'],
      ['a form', 'a=b', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['1.1 MB', `{"title":"${'x'.repeat(1_100_000)}"}`, 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    ])('refuses %s', async (_, raw, type, status, error) => {
      const answer = await api.call({ method: 'POST', path: '/v1/room/create', raw, headers: { 'content-type': type } });
      expect([answer.status, answer.body?.error]).toEqual([status, error]);
    });

    it('refuses bytes that are not UTF-8', async () => {
      const raw = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
      expect((await api.call({ method: 'POST', path: '/v1/room/create', raw })).status).toBe(400);
    });

    it.each<[string, object]>([
      ['roomId', { roomId: 7 }],
      ['roomId', { roomId: '..' }],
      ['roomId', { roomId: 'a/b' }],
      ['roomId', { roomId: 'x'.repeat(129) }],
      ['title', { title: '' }],
      ['title', { title: '   ' }],
      ['title', { title: 'x'.repeat(257) }],
      ['title', { title: 'nul\u0000' }],
      ['title', { title: 'half \ud800' }],
      ['participant', { participant: undefined }],
      ['participant.uid', { participant: { ...person('t'), uid: 'EG_recorder' } }],
      ['participant.role', { participant: { ...person('t'), role: 'teacher' } }],
      ['participant.photoURL', { participant: { ...person('t'), photoURL: 'javascript:alert(1)' } }],
      ['settings.maxParticipants', { settings: { maxParticipants: 5001 } }],
      ['settings.maxParticipants', { settings: { maxParticipants: '5' } }],
      ['settings.emptyTimeout', { settings: { emptyTimeout: 0 } }],
      ['settings.emptyTimeout', { settings: { emptyTimeout: 1.5 } }],
      ['customization.showLobby', { customization: { showLobby: 'yes' } }],
      ['metadata', { metadata: { big: 'x'.repeat(8200) } }],
      ['metadata', { metadata: [] }],
      ['roomDescription', { roomDescription: 'x'.repeat(4001) }],
    ])('names %s if it is invalid', async (path, overrides) => {
      const answer = await api.post('/v1/room/create', creation(overrides));
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('VALIDATION_FAILED');
      expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    });

    it('accepts null for optional fields', async () => {
      const answer = await api.post(
        '/v1/room/create',
        creation({ roomDescription: null, settings: { maxParticipants: null }, customization: null }),
      );
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    });

    it('refuses a body that is nested too deeply', async () => {
      const deep = '['.repeat(200_000) + ']'.repeat(200_000);
      const raw = `{"roomId":"deep","title":"T","participant":{"uid":"t","name":"T","role":"TEACHER"},"metadata":{"deep":${deep}}}`;
      for (const headers of [{}, { 'idempotency-key': randomUUID() }] as Record<string, string>[]) {
        expect((await api.call({ method: 'POST', path: '/v1/room/create', raw, headers })).status).toBe(400);
      }
    });

    it('ignores unknown fields, and accepts every script', async () => {
      const answer = await api.post(
        '/v1/room/create',
        creation({ title: 'क्लास 数学 🎓', nonsense: 1, participant: { ...person('u@x|1+=~'), x: 1 } }),
      );
      expect(answer.status).toBe(200);
    });
  });

  describe('for ids in the path', () => {
    it.each([
      ['GET', '/v1/room//status', 'Missing roomId'],
      ['GET', '/v1/room/%20/status', 'Missing roomId'],
      ['DELETE', '/v1/room/', 'Missing roomId'],
      ['POST', '/v1/room//join', 'Missing roomId'],
    ])('answers %s %s with "%s"', async (method, path, message) => {
      const answer = await api.call({ method, path, ...(method === 'POST' ? { body: { participant: person('a') } } : {}) });
      expect([answer.status, answer.body.message, answer.body.error]).toEqual([400, message, 'VALIDATION_FAILED']);
    });

    it('answers 400 to invalid ids on every route', async () => {
      for (const id of ['a%2Fb', 'a%00b', '..%2F', 'x'.repeat(129), '%ZZ', 'a b']) {
        for (const [method, path] of [
          ['GET', `/v1/room/${id}/status`],
          ['DELETE', `/v1/room/${id}`],
        ] as const) {
          const answer = await api.call({ method, path });
          expect([id, answer.status, answer.body.error]).toEqual([id, 400, 'VALIDATION_FAILED']);
        }
      }
    });
  });

  describe('for rooms', () => {
    it('answers a creation with token, address, expiry, room and the settings in force', async () => {
      const { body } = await api.post('/v1/room/create', creation({ roomId: 'shape' }));
      expect(body).toEqual({
        success: true,
        message: 'Room created',
        data: {
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          iframeUrl: `${stack.urls.gateway}/r/${body.data.room.sid}#token=${body.data.token}`,
          expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
          room: { roomId: 'shape', sid: expect.stringMatching(/^RM_[A-Za-z0-9]{16}$/) },
          settings: (await api.get('/v1/room/shape')).body.data.settings,
        },
      });
      const claims = JSON.parse(Buffer.from(body.data.token.split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({
        sub: 't',
        name: 'Name of t',
        attributes: { role: 'TEACHER' },
        video: { room: body.data.room.sid, roomJoin: true, canPublish: true },
      });
      expect(new Date(claims.exp * 1000).toISOString()).toBe(body.data.expiresAt);
      expect(JSON.stringify(claims)).not.toContain(value);
    });

    it.each([
      ['TEACHER', true],
      ['MODERATOR', true],
      ['ADMIN', true],
      ['STUDENT', false],
    ])('grants a %s canPublish %p, and no more rights than needed', async (role, canPublish) => {
      const { roomId } = await newRoom(api);
      const { body } = await api.post(`/v1/room/${roomId}/join`, { participant: person('x', role) });
      const { video } = JSON.parse(Buffer.from(body.data.token.split('.')[1] ?? '', 'base64url').toString());
      expect(video).toMatchObject({ canPublish, canPublishData: false, canSubscribe: true, roomAdmin: false, canUpdateOwnMetadata: false });
    });

    it('lets exactly one of sixteen concurrent creations with one roomId succeed', async () => {
      const same = creation();
      const answers = await Promise.all(Array.from({ length: 16 }, () => api.post('/v1/room/create', same)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 409)]);
      expect(answers.find(({ status }) => status === 409)?.body.error).toBe('ROOM_ID_ALREADY_USED');
    });

    it('answers a repeated Idempotency-Key with the same room and a new token', async () => {
      const same = creation();
      const headers = { 'Idempotency-Key': randomUUID() };
      const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/v1/room/create', same, headers)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
      expect(new Set(answers.map(({ body }) => body.data.room.sid)).size).toBe(1);
      const other = await api.post('/v1/room/create', { ...same, title: 'Other' }, headers);
      expect([other.status, other.body.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
      const bad = await api.post('/v1/room/create', same, { 'Idempotency-Key': 'x'.repeat(256) });
      expect([bad.status, bad.body.details[0]?.path]).toEqual([400, 'Idempotency-Key']);
    });

    it('reports that a room does not exist, and refuses to join or end it', async () => {
      expect((await api.get('/v1/room/none/status')).body).toEqual({
        success: true,
        message: expect.any(String),
        data: { exists: false, isActive: false, roomId: 'none' },
      });
      expect((await api.post('/v1/room/none/join', { participant: person('a') })).body.error).toBe('ROOM_NOT_FOUND');
      expect((await api.delete('/v1/room/none')).body).toMatchObject({ error: 'ROOM_NOT_FOUND', message: 'Room not found' });
    });

    it('accepts DELETE with a JSON content type and no body', async () => {
      const { roomId } = await newRoom(api);
      expect(
        (await api.call({ method: 'DELETE', path: `/v1/room/${roomId}`, headers: { 'content-type': 'application/json' } })).status,
      ).toBe(200);
    });
  });

  it('counts requests, errors and durations by route and by subject', async () => {
    await api.get('/v1/room/x/status');
    const metrics = async (app: string) => (await fetch(`http://127.0.0.1:${stack.ports.probes[app]}/metrics`)).text();
    const lines = [...(await metrics('gateway')).split('\n'), ...(await metrics('room')).split('\n')];
    const counted = (what: RegExp) => lines.some((line) => what.test(line));
    expect(counted(/^http_server_request_duration_count\{.*http_route="\/v1\/room\/:roomId\/status"/)).toBe(true);
    expect(counted(/^rpc_server_duration_count\{.*subject="rpc\.room\.room\.status\.v1"/)).toBe(true);
  });

  it('keeps a valid request id, and generates one otherwise', async () => {
    expect((await api.get('/v1/room/x/status', { 'X-Request-Id': 'mine-1' })).headers.get('x-request-id')).toBe('mine-1');
    expect((await api.get('/v1/room/x/status', { 'X-Request-Id': 'a b<c>' })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reports its health without authentication, up to a limit per minute', async () => {
    // Behind a proxy, so that the limit of this address is this test's own.
    const monitor = anonymous.with({ 'X-Forwarded-For': '203.0.113.7' });
    // A busy machine may be degraded for a moment: a service that answers late counts as down until the next check.
    await eventually(async () => {
      const { status, body } = await monitor.get('/v1/health/status');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        message: 'System is healthy',
        data: { status: 'healthy', healthy: true, version: expect.any(String) },
      });
    });
    const answers = await Promise.all(Array.from({ length: 70 }, () => monitor.get('/v1/health/status')));
    const limited = answers.find((answer) => answer.status === 429);
    expect(limited?.body.error).toBe('RATE_LIMITED');
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('has one trace from the request over NATS and Postgres to LiveKit', async () => {
    const answer = await api.post('/v1/room/create', creation());
    const traceId = answer.headers.get('x-trace-id') ?? '';
    await eventually(() => {
      const spans = traceSpans(stack, traceId);
      const names = spans.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['POST /v1/room/create', 'rpc.room.room.create.v1', 'livekit CreateRoom']));
      expect(names.some((name) => name.startsWith('pg.query'))).toBe(true);
      expect(spans.map(({ service }) => service)).toEqual(expect.arrayContaining(['gateway', 'room', 'recording']));
      const roots = spans.filter(({ parentSpanId }) => !spans.some(({ spanId }) => spanId === parentSpanId));
      expect(roots.map(({ name }) => name)).toEqual(['POST /v1/room/create']);
    });
  });

  it('links a caller’s trace, but neither continues it nor lets it decide what is sampled', async () => {
    const [theirs, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const headers = { traceparent: `00-${theirs}-${spanId}-00`, baggage: 'organization=other' };
    const answer = await api.get('/v1/room/unknown/status', headers);
    const traceId = answer.headers.get('x-trace-id') ?? '';
    expect(traceId).not.toBe(theirs);
    await eventually(() => {
      const spans = traceSpans(stack, traceId);
      expect(spans.find(({ name }) => name.startsWith('GET /v1/room'))?.links).toEqual([{ traceId: theirs, spanId }]);
      expect(spans.some(({ service }) => service === 'room')).toBe(true);
    });
    expect(traceSpans(stack, theirs)).toEqual([]);
  });

  it('traces a webhook of LiveKit over JetStream to the changed row', async () => {
    const { sid } = await newRoom(api);
    expect(sid).toMatch(/^RM_/);
    await eventually(() => {
      const starts = allSpans(stack).filter(({ name }) => name === 'POST /livekit/webhook');
      const whole = starts.find(({ traceId }) => {
        const names = traceSpans(stack, traceId).map(({ name }) => name);
        return (
          names.includes('send LIVEKIT') &&
          names.includes('process room-presence') &&
          names.some((name) => name.startsWith('pg.query:INSERT'))
        );
      });
      expect(whole).toBeDefined();
    });
  });

  it('writes the organization’s id to no log and no trace', () => {
    for (const name of ['gateway', 'room', 'organization']) expect(stack.log(name)).not.toContain(value);
    expect(JSON.stringify(allSpans(stack))).not.toContain(value);
  });
});

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name: string;
  links: { traceId: string; spanId: string }[];
}

const allSpans = (stack: RunningStack): Span[] => stack.spans<Span>();
const traceSpans = (stack: RunningStack, traceId: string) => allSpans(stack).filter((span) => span.traceId === traceId);
