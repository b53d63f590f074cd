import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type Answer, ApiClient, byForm, eventually, inLongForm, isLongForm, newOrganization, person, sleep } from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from '../chaos/support.js';
import { Neighbour } from './limits/neighbour.js';

const KEYS = byForm({ short: 4, long: 40 });
const CONCURRENCY = byForm({ short: 20, long: 50 });
/** Requests per organization and minute: more than CONCURRENCY times KEYS_PER_SCHOOL. */
const QUOTA = 240;
/** Requests that gateways may count by themselves, because Redis did not answer in time. */
const TOLERANCE = QUOTA * 0.05;
const KEYS_PER_SCHOOL = 4;
const WINDOW_S = 60;
/** How many times the quota one organization sends, within `BURST_S` seconds. test/bench/limits measures the effect on a neighbor over a minute. */
const TIMES_QUOTA = byForm({ short: 3, long: 10 });
const BURST_S = byForm({ short: 3, long: 8 });
const SLICE_MS = 100;
const SLOW_SENDERS = 100;
/** Twice the gateway's timeout, because Node checks connections only at intervals. */
const TIMEOUT_MS = 120_000;
const LARGE_BYTES = 50 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const MAX_BYTES_READ = 20_000_000;

describe('two gateways behind one address', () => {
  let chaos: ChaosStack;
  let urls: string[];
  /** In the long form: clients that send a byte a second while all tests run, and what a neighbour is answered until the last is cut off. */
  let slow: Awaited<ReturnType<typeof sendSlowly>> | undefined;

  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS, env: { gateway: { RATE_LIMIT_PER_MINUTE: String(QUOTA) } } });
    const { stack } = chaos;
    const port = stack.port();
    await stack
      .addProcess('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(port), RATE_LIMIT_PER_MINUTE: String(QUOTA) } })
      .start();
    urls = [stack.urls.gateway, `http://127.0.0.1:${port}`];
    if (isLongForm) slow = await sendSlowly();
  });

  afterAll(async () => {
    for (const { socket } of slow?.senders ?? []) socket.destroy();
    await chaos?.stop();
  });

  const clients = (headers: Record<string, string>) => urls.map((url) => new ApiClient(url, headers));
  const school = async () => {
    const { value } = await newOrganization(chaos.stack, {
      billing: { type: 'PREPAID', credits: 0, creditRate: 0.01, currency: 'USD' },
    });
    return { value, apis: clients({ 'VF-ORG-ID': value }) };
  };
  const turn = <T>(of: readonly T[], n: number): T => of[n % of.length] as T;

  /** Sends the same request many times concurrently over both gateways, then once more to each. */
  async function repeated<const P extends string>(apis: ApiClient[], path: P, body: object) {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await Promise.all(Array.from({ length: CONCURRENCY }, (_, n) => turn(apis, n).post(path, body, key)));
    const later = await Promise.all(
      apis.map((api) =>
        eventually(async () => {
          const answer = await api.post(path, body, key);
          expect(answer.status).toBe(200);
          return answer;
        }),
      ),
    );
    const done = [...first, ...later].filter(({ status }) => status === 200);
    // Exactly one request had an effect. All other answers are marked as replays.
    expect(done.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')).toHaveLength(1);
    const refused = first.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body: { error } }) => `${status} ${String(error)}`))).toEqual(
      new Set(refused.length > 0 ? ['409 IDEMPOTENCY_CONFLICT'] : []),
    );
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    return done;
  }

  /** Half never finish their headers, half never their body. Each sends a byte per second until it is cut off. */
  function slowSender(n: number, value: string): { socket: Socket; closed: Promise<void> } {
    const socket = connect(Number(new URL(turn(urls, n)).port), '127.0.0.1');
    const head = `POST /v1/room/create HTTP/1.1\r\nhost: classroom\r\nvf-org-id: ${value}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n`;
    socket.write(n % 4 < 2 ? `${head}x-slow: ` : `${head}\r\n{"title":"`);
    const timer = setInterval(() => socket.write('a'), 1_000);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined).on('data', () => undefined);
    return { socket, closed: closed.finally(() => clearInterval(timer)) };
  }

  async function sendSlowly() {
    const { value } = await school();
    const neighbour = new Neighbour((await school()).apis);
    const senders = Array.from({ length: SLOW_SENDERS }, (_, n) => slowSender(n, value));
    const closed = Promise.race([Promise.all(senders.map((it) => it.closed)), sleep(TIMEOUT_MS)]);
    return { senders, answers: neighbour.during(() => closed) };
  }

  it('show operators the processes of all services and both gateways, whichever is asked', async () => {
    for (const operator of clients({ 'X-Dispatch-Secret': chaos.stack.secrets['dispatchSecret'] ?? '' })) {
      const { processes } = (await operator.get('/v1/admin/system')).body.data as { processes: { service: string }[] };
      const services = processes.map(({ service }) => service);
      expect([...new Set(services)].sort()).toEqual([...CLASS_APPS].sort());
      expect(services.filter((service) => service === 'gateway')).toHaveLength(2);
    }
  });

  it(`create one room for ${CONCURRENCY} requests with one key, and give all the same answer`, async () => {
    const pages: { rooms: { roomId: string }[] }[] = [];
    for (let made = 0; made < KEYS; made += KEYS_PER_SCHOOL) {
      const { apis } = await school();
      const ids = Array.from({ length: KEYS_PER_SCHOOL }, () => `room-${randomUUID()}`);
      for (const roomId of ids) {
        const answers = await repeated(apis, '/v1/room/create', { roomId, title: 'Algebra', participant: person('teacher') });
        // Each answer has its own token, all for the same room.
        expect(new Set(answers.map(({ body }) => body.data.room.sid)).size).toBe(1);
        expect(new Set(answers.map(({ status, body }) => `${status} ${body.message} ${body.data.room.roomId}`))).toEqual(
          new Set([`200 Room created ${roomId}`]),
        );
      }
      const { body } = await eventually(async () => {
        const events = await turn(apis, made).get('/v1/events?types=room.created');
        expect(events.body.data.events.length).toBeGreaterThanOrEqual(ids.length);
        return events;
      });
      expect(body.data.events.map(({ data }) => 'roomId' in data && data.roomId).sort()).toEqual(ids.sort());
      pages.push((await turn(apis, made).get('/v1/rooms')).body.data);
    }
    expect(pages.flatMap(({ rooms }) => rooms)).toHaveLength(KEYS);
  });

  it(`post credits once for ${CONCURRENCY} requests with one key`, async () => {
    const { value, apis } = await school();
    const admins = clients({ 'X-Dispatch-Secret': chaos.stack.secrets['dispatchSecret'] ?? '' });
    const path = `/v1/admin/organizations/${value}/credits` as const;
    for (let n = 0; n < KEYS; n += 1) {
      const answers = await repeated(admins, path, { amount: 1, reference: randomUUID(), note: 'Paid by card' });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    const { body } = await turn(apis, 0).get('/v1/billing/balance');
    expect(body.data.remainingCredits).toBe(KEYS);
  });

  it(`admit the quota out of ${TIMES_QUOTA} times as many requests, and all requests of a neighbour`, async () => {
    const { apis } = await school();
    const neighbour = new Neighbour((await school()).apis);
    const slices = (BURST_S * 1000) / SLICE_MS;
    const answers: Promise<Answer>[] = [];
    const busy = await neighbour.during(async () => {
      for (let slice = 0; slice < slices; slice += 1) {
        const due = Math.ceil(((slice + 1) * TIMES_QUOTA * QUOTA) / slices);
        while (answers.length < due) answers.push(turn(apis, answers.length).get('/v1/room/x/status'));
        await sleep(SLICE_MS);
      }
      await Promise.all(answers);
    });
    const all = await Promise.all(answers);
    const allowed = all.filter(({ status }) => status === 200);
    const refused = all.filter(({ status }) => status === 429);
    expect(allowed.length + refused.length).toBe(all.length);
    expect(Math.abs(allowed.length - QUOTA)).toBeLessThanOrEqual(TOLERANCE);
    for (const { headers } of all) expect(headers.get('ratelimit-policy')).toBe(`"organization";q=${QUOTA};w=${WINDOW_S}`);
    for (const { headers, body } of refused) {
      const [, seconds] = /^"organization";r=0;t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
      expect([(body as { error?: string }).error, headers.get('retry-after')]).toEqual(['RATE_LIMITED', seconds]);
      expect(Number(seconds)).toBeLessThanOrEqual(WINDOW_S);
    }
    // Each gateway includes the requests that the others admitted, so remaining counts do not repeat, except where a gateway counted a block by itself.
    const left = allowed.map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(left.length - new Set(left).size).toBeLessThanOrEqual(TOLERANCE);
    expect(busy).toEqual(busy.map(() => 200));
  });

  inLongForm(it)('refuse 50 MB of JSON, and answer the neighbour meanwhile', async () => {
    const { apis } = await school();
    const neighbour = new Neighbour((await school()).apis);
    const raw = JSON.stringify({ title: 'x'.repeat(LARGE_BYTES) });
    const outcomes: string[] = [];
    const answers = await neighbour.during(async () => {
      const sending = Array.from({ length: 8 }, (_, n) => turn(apis, n).call({ method: 'POST', path: '/v1/room/create', raw }));
      for (const sent of await Promise.allSettled(sending))
        outcomes.push(sent.status === 'fulfilled' ? `${sent.value.status} ${String(sent.value.body.error)}` : 'cut off');
    });
    for (const outcome of outcomes) expect(['413 PAYLOAD_TOO_LARGE', 'cut off']).toContain(outcome);
    expect(outcomes).toContain('413 PAYLOAD_TOO_LARGE');
    expect(answers).toEqual(answers.map(() => 200));
  });

  it.each([
    ['declares the length', 'content-length: 10000000000', (piece: Buffer) => piece],
    [
      'does not declare it',
      'transfer-encoding: chunked',
      (piece: Buffer) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ],
  ])(
    'disconnect a client that continues sending after the refusal, and %s',
    async (_, header, framed) => {
      const { value } = await school();
      const socket = connect(Number(new URL(turn(urls, 0)).port), '127.0.0.1');
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      let answer = '';
      socket.on('error', () => undefined).on('data', (bytes: Buffer) => (answer += bytes.toString()));
      socket.write(
        `POST /v1/room/create HTTP/1.1\r\nhost: classroom\r\nvf-org-id: ${value}\r\ncontent-type: application/json\r\n${header}\r\n\r\n`,
      );
      const piece = framed(Buffer.alloc(PIECE_BYTES, ' '));
      const writeMore = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on('drain', writeMore);
      writeMore();
      await closed;
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toContain('PAYLOAD_TOO_LARGE');
      // This includes what the kernel buffers on both sides.
      expect(socket.bytesWritten).toBeLessThan(MAX_BYTES_READ);
    },
    TIMEOUT_MS,
  );

  // Last, because it waits for the gateway's timeout, which the other tests fill. In the short form apps/gateway/test/edge.it.spec.ts tests the timeout.
  inLongForm(it)(
    'disconnect clients that send a byte a second, and answer the neighbour meanwhile',
    async () => {
      const answers = await slow?.answers;
      expect(slow?.senders.filter(({ socket }) => !socket.destroyed)).toHaveLength(0);
      expect(answers?.length).toBeGreaterThan(2);
      expect(answers).toEqual(answers?.map(() => 200));
    },
    TIMEOUT_MS + 60_000,
  );
});
