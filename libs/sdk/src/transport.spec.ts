import { VirtualClassroom } from './client.js';
import { ConnectionError, hasCode, TimeoutError, VirtualClassroomError } from './errors.js';
import type { RequestOptions } from './transport.js';

type Answer = (signal?: AbortSignal) => Response | Promise<Response>;

const ok =
  (data: unknown = {}) =>
  () =>
    Response.json({ success: true, data });
const errorResponse =
  (status: number, error: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ success: false, message: error, error, requestId: 'req_1' }, { status, headers });
const broken: Answer = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNRESET') }));
/** The headers arrive, then the connection breaks. */
const truncated: Answer = () => new Response(new ReadableStream({ pull: (to) => to.error(new Error('ECONNRESET')) }), { status: 200 });

/** Makes a body behave like a real one, which fails when its request is aborted. */
const endedBy = (signal: AbortSignal | undefined, body: ReadableStreamDefaultController) =>
  signal?.addEventListener('abort', () => body.error(signal.reason));

const ROOM = { roomId: 'geometry-7b', title: 'Geometry', participant: { uid: 't', name: 'T', role: 'TEACHER' as const } };

/** A service that gives these answers in turn and then repeats the last one. */
function service(...answers: Answer[]) {
  const requests: { url: string; init: RequestInit; headers: Headers }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    requests.push({ url, init, headers: new Headers(init.headers) });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    // Like the real fetch, which rejects with the signal's reason.
    init.signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));
    return Promise.race([answer?.(init.signal ?? undefined) as Promise<Response>, aborted]);
  };
  const client = new VirtualClassroom({
    baseUrl: 'https://classroom.example/',
    credential: 'org_1',
    fetch: fetch as typeof globalThis.fetch,
    timeoutMs: 20_000,
  });
  return { client, requests };
}

/** The result of `work`, with the time that it took in milliseconds. */
async function outcomeOf<T>(work: Promise<T>): Promise<{ value?: T; failure?: unknown; ms: number }> {
  const begin = Date.now();
  const outcomes: { value?: T; failure?: unknown; ms: number }[] = [];
  work.then(
    (value) => outcomes.push({ value, ms: Date.now() - begin }),
    (failure: unknown) => outcomes.push({ failure, ms: Date.now() - begin }),
  );
  for (let step = 0; step < 5_000 && outcomes.length === 0; step++) await jest.advanceTimersByTimeAsync(50);
  return outcomes[0] ?? { failure: 'it never ended', ms: Infinity };
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a request', () => {
  it('carries the organization, and JSON if it has a body', async () => {
    const { client, requests } = service(ok());
    await client.rooms.create(ROOM);
    await client.billing.balance();
    expect(requests.map(({ url, init }) => [init.method, url])).toEqual([
      ['POST', 'https://classroom.example/v1/room/create'],
      ['GET', 'https://classroom.example/v1/billing/balance'],
    ]);
    expect(requests.map(({ headers }) => [headers.get('vf-org-id'), headers.get('content-type')])).toEqual([
      ['org_1', 'application/json'],
      ['org_1', null],
    ]);
    expect(JSON.parse(String(requests[0]?.init.body))).toEqual(ROOM);
  });

  it('carries an API key as a bearer token, and then no organization', async () => {
    const { requests } = service(ok());
    const fetch = async (url: string, init: RequestInit) => (
      requests.push({ url, init, headers: new Headers(init.headers) }),
      Response.json({ success: true, data: {} })
    );
    await new VirtualClassroom({
      baseUrl: 'https://classroom.example',
      apiKey: 'vc_live_1',
      fetch: fetch as typeof globalThis.fetch,
    }).billing.balance();
    expect([requests[0]?.headers.get('authorization'), requests[0]?.headers.get('vf-org-id')]).toEqual(['Bearer vc_live_1', null]);
  });

  it('is not made without an address, or with no or two credentials', () => {
    const made = (options: object) => () => new VirtualClassroom(options as ConstructorParameters<typeof VirtualClassroom>[0]);
    expect(made({ credential: 'vfo_1' })).toThrow('baseUrl must be the address of the service');
    for (const credentials of [{}, { credential: undefined }, { credential: 'vfo_1', apiKey: 'vc_live_1' }])
      expect(made({ baseUrl: 'https://classroom.example', ...credentials })).toThrow('give either credential or apiKey');
  });

  it('has what the service ignored of it in the debug log', async () => {
    const { client } = service(() => Response.json({ success: true, data: {}, warnings: [{ path: 'nonsense', message: 'was ignored' }] }));
    const log = jest.spyOn(console, 'error').mockReturnValue(undefined);
    await client.rooms.create(ROOM);
    jest.replaceProperty(process, 'env', { ...process.env, NODE_DEBUG: 'http,virtual-classroom' });
    await client.rooms.create(ROOM);
    expect(log.mock.calls).toEqual([['VIRTUAL-CLASSROOM createRoom: nonsense was ignored']]);
  });

  it('never follows a redirect, which would carry the credentials along', async () => {
    const { client, requests } = service(ok());
    await client.billing.balance();
    expect(requests[0]?.init.redirect).toBe('error');
  });
});

describe('a refusal', () => {
  it('is an error with all fields of the API’s answer', async () => {
    const details = [{ path: 'title', message: 'is required' }];
    const { client, requests } = service(() =>
      Response.json(
        { success: false, message: 'title is required', error: 'VALIDATION_FAILED', requestId: 'req_9', details },
        { status: 400 },
      ),
    );
    const error: unknown = await client.rooms.create(ROOM).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(VirtualClassroomError);
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, requestId: 'req_9', details, message: 'title is required' });
    expect([hasCode(error, 'ROOM_FULL', 'VALIDATION_FAILED'), hasCode(error, 'ROOM_FULL'), hasCode(new Error('x'), 'ROOM_FULL')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(requests).toHaveLength(1);
  });

  it('is also an error if a proxy on the way answers', async () => {
    const { client } = service(() => new Response('<h1>Forbidden</h1>', { status: 403, headers: { 'x-request-id': 'req_2' } }));
    await expect(client.billing.balance()).rejects.toMatchObject({ status: 403, code: 'UNKNOWN', requestId: 'req_2' });
  });

  it.each([
    [400, 'VALIDATION_FAILED'],
    [401, 'UNAUTHORIZED'],
    [409, 'ROOM_FULL'],
    [409, 'IDEMPOTENCY_CONFLICT'],
    [410, 'ROOM_ENDED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'RECORDER_BUSY'],
  ])('is not retried: %d %s', async (status, code) => {
    const { client, requests } = service(errorResponse(status, code));
    expect((await outcomeOf(client.rooms.create(ROOM))).failure).toMatchObject({ status, code });
    expect(requests).toHaveLength(1);
  });
});

describe('the health of the service', () => {
  const unhealthy = { status: 'unhealthy', healthy: false, timestamp: '2026-01-15T10:00:00.000Z', version: '0.2.0' };

  it('is an answer even if it is unhealthy, with a 503', async () => {
    const { client, requests } = service(() =>
      Response.json({ success: true, message: 'System is unhealthy', data: unhealthy }, { status: 503 }),
    );
    expect((await outcomeOf(client.health())).value).toEqual(unhealthy);
    expect(requests).toHaveLength(1);
  });

  it('is an error if a proxy on the way answers the 503', async () => {
    const { client } = service(() => new Response('<h1>Service Unavailable</h1>', { status: 503 }));
    expect((await outcomeOf(client.health({ maxRetries: 0 }))).failure).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('a temporary failure', () => {
  it.each<[string, Answer]>([
    ['429', errorResponse(429, 'RATE_LIMITED')],
    ['503', errorResponse(503, 'SERVICE_UNAVAILABLE')],
    ['502 of a proxy', () => new Response('Bad Gateway', { status: 502 })],
    ['a connection that fails', broken],
    ['an answer that is cut short', truncated],
    ['no answer', () => new Promise<Response>(() => undefined)],
    ['a first attempt that is still in progress', errorResponse(409, 'IDEMPOTENCY_CONFLICT', { 'retry-after': '1' })],
  ])('is retried under one key: %s', async (_, failure) => {
    const { client, requests } = service(failure, failure, ok({ roomId: 'geometry-7b' }));
    expect((await outcomeOf(client.rooms.create(ROOM))).value).toEqual({ roomId: 'geometry-7b' });
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{16,255}$/);
  });

  it('is thrown after three retries with growing pauses', async () => {
    const { client, requests } = service(errorResponse(503, 'SERVICE_UNAVAILABLE'));
    const { failure, ms } = await outcomeOf(client.billing.balance());
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(requests).toHaveLength(4);
    expect(ms).toBeGreaterThanOrEqual(500 + 1_000 + 2_000);
    expect(ms).toBeLessThan(4_500);
  });

  it('is retried after the time in Retry-After', async () => {
    const { client } = service(errorResponse(429, 'RATE_LIMITED', { 'retry-after': '40' }), ok());
    const { ms } = await outcomeOf(client.billing.balance());
    expect(ms).toBeGreaterThanOrEqual(40_000);
    expect(ms).toBeLessThan(42_000);
  });

  it('is thrown immediately if Retry-After is too long', async () => {
    const { client, requests } = service(
      errorResponse(429, 'RATE_LIMITED', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }),
    );
    const { failure } = await outcomeOf(client.billing.balance());
    expect((failure as VirtualClassroomError).retryAfterMs).toBeGreaterThan(3_500_000);
    expect(requests).toHaveLength(1);
  });

  it('is retried after random pauses, so that clients do not return together', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const { ms } = await outcomeOf(service(broken, ok()).client.billing.balance());
    expect(ms).toBeLessThanOrEqual(300);
  });

  it.each([
    [0, 1],
    [1, 2],
  ])('is retried %d times on request', async (maxRetries, times) => {
    const { client, requests } = service(broken);
    expect((await outcomeOf(client.billing.balance({ maxRetries }))).failure).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(times);
  });
});

describe('an Idempotency-Key', () => {
  it('is different for every POST, and absent if a request needs none', async () => {
    const { client, requests } = service(ok());
    await client.rooms.create(ROOM);
    await client.rooms.create(ROOM);
    await client.rooms.end('geometry-7b');
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBeNull();
  });

  it('can be given by the caller', async () => {
    const { client, requests } = service(broken, ok());
    await outcomeOf(client.rooms.create(ROOM, { idempotencyKey: 'lesson-1' }));
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['lesson-1', 'lesson-1']);
  });

  it('of another request is a conflict, which is not retried', async () => {
    const { client, requests } = service(errorResponse(409, 'IDEMPOTENCY_CONFLICT'));
    expect(hasCode((await outcomeOf(client.rooms.create(ROOM))).failure, 'IDEMPOTENCY_CONFLICT')).toBe(true);
    expect(requests).toHaveLength(1);
  });
});

describe('a timeout', () => {
  const never = () => new Promise<Response>(() => undefined);
  const silent: Answer = (signal) => new Response(new ReadableStream({ start: (to) => endedBy(signal, to) }));

  it('applies to each attempt, and is named in the error', async () => {
    const { client, requests } = service(never);
    const { failure, ms } = await outcomeOf(client.billing.balance({ timeoutMs: 1_000, maxRetries: 1 }));
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ timeoutMs: 1_000 });
    expect(requests).toHaveLength(2);
    expect(requests.every(({ init }) => init.signal?.aborted)).toBe(true);
    expect(ms).toBeGreaterThanOrEqual(2_000);
  });

  it.each<[string, (client: VirtualClassroom, options: RequestOptions) => Promise<unknown>, Answer]>([
    ['before an answer', (client, options) => client.billing.balance(options), never],
    ['between attempts', (client, options) => client.billing.balance(options), broken],
    ['in a stream', (client, options) => client.agent.stream({ chatId: 'a', message: 'b' }, options).next(), never],
    ['in a stream that says nothing', (client, options) => client.agent.stream({ chatId: 'a', message: 'b' }, options).next(), silent],
  ])('is not needed if the caller aborts %s: the call rejects with the caller’s reason', async (_, call, answer) => {
    const { client, requests } = service(answer);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('the page was left')), 300);
    const { failure, ms } = await outcomeOf(call(client, { signal: controller.signal }));
    expect(failure).toEqual(new Error('the page was left'));
    expect(ms).toBeLessThan(500);
    expect(requests).toHaveLength(1);
  });

  it('does not start if the caller has already aborted', async () => {
    const { client } = service(ok());
    const reason = new Error('gone');
    expect((await outcomeOf(client.billing.balance({ signal: AbortSignal.abort(reason) }))).failure).toBe(reason);
  });
});

describe('a stream', () => {
  const streamed =
    (...parts: string[]): Answer =>
    () =>
      new Response(
        new ReadableStream({ start: (to) => (parts.forEach((part) => to.enqueue(new TextEncoder().encode(part))), to.close()) }),
      );
  const startStream = (client: VirtualClassroom, options?: RequestOptions) => client.agent.stream({ chatId: 'a', message: 'b' }, options);

  async function collect(events: AsyncIterable<unknown>): Promise<unknown[]> {
    const seen: unknown[] = [];
    for await (const event of events) seen.push(event);
    return seen;
  }

  it('is retried until it begins', async () => {
    const { client, requests } = service(
      broken,
      errorResponse(503, 'AI_UNAVAILABLE'),
      streamed('{"type":"text","te', 'xt":"Hi"}\n{"type":"done"}\n'),
    );
    expect((await outcomeOf(collect(startStream(client)))).value).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('is not retried after it began, because a part was read', async () => {
    const { client, requests } = service(streamed('{"type":"text","text":"Hi"}\n'));
    expect((await outcomeOf(collect(startStream(client)))).failure).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(1);
  });

  it('is an error like any other if it is refused', async () => {
    const { client } = service(errorResponse(402, 'INSUFFICIENT_CREDITS'));
    expect(hasCode((await outcomeOf(collect(startStream(client)))).failure, 'INSUFFICIENT_CREDITS')).toBe(true);
  });

  it('times out when no more events arrive, however long it has run', async () => {
    const word = new TextEncoder().encode('{"type":"text","text":"Hi"}\n');
    let sent = 0;
    const pull = (to: ReadableStreamDefaultController) =>
      new Promise<void>((resolve) => sent++ < 5 && setTimeout(() => (to.enqueue(word), resolve()), 700));
    const slow: Answer = (signal) => new Response(new ReadableStream({ start: (to) => endedBy(signal, to), pull }, { highWaterMark: 0 }));
    const { failure, ms } = await outcomeOf(collect(startStream(service(slow).client, { timeoutMs: 1_000 })));
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(ms).toBeGreaterThanOrEqual(4_500);
  });

  it('closes its connection when its reader leaves the loop', async () => {
    const cancel = jest.fn();
    const endless = () =>
      new Response(new ReadableStream({ pull: (to) => to.enqueue(new TextEncoder().encode('{"type":"text","text":"Hi"}\n')), cancel }));
    for await (const _ of startStream(service(endless).client)) break;
    expect(cancel).toHaveBeenCalled();
  });
});
