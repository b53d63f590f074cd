import { randomUUID } from 'node:crypto';
import {
  allPublished,
  ApiClient,
  byForm,
  connectionsOf,
  eventually,
  EXACT,
  expectPresenceInvariants,
  expectTruth,
  inLongForm,
  liveKitAdmin,
  liveKitRoomNames,
  newRoom,
  person,
  roomsForLiveKit,
  roomsNamed,
  sleep,
  type Answer,
  type ManagedProcess,
} from '@classroom/testing';
import { CLASS_APPS, pollDuring, startChaosStack, type ChaosStack } from './support.js';

/** Maximum time for an answer during any outage, in milliseconds. */
const TIMEOUT_MS = 20_000;
const RECOVERY_MS = 60_000;
const OUTAGE_MS = byForm({ short: 3_000, long: 10_000 });

interface Probe {
  what: string;
  ms: number;
  answer: Answer;
  /** Retries a creation. */
  again: () => Promise<Answer>;
}

interface Outage {
  answers: Probe[];
  healths: Set<string>;
  /** The connection whose end LiveKit reported during the outage. */
  left: string;
}

describe('an outage', () => {
  let chaos: ChaosStack;
  let roomId: string;
  let sid: string;
  let pids: (number | undefined)[];

  beforeAll(async () => {
    // The test checks health more often than one address normally may.
    chaos = await startChaosStack({ env: { gateway: { HEALTH_REQUESTS_PER_MINUTE: '1000' } } });
    ({ roomId, sid } = await newRoom(chaos.api));
    pids = CLASS_APPS.map((name) => chaos.stack.app(name).pid);
  });
  afterEach(async () => {
    await expectPresenceInvariants(chaos.stack);
    expect(CLASS_APPS.map((name) => chaos.stack.app(name).pid)).toEqual(pids);
    expect(CLASS_APPS.filter((name) => !chaos.stack.app(name).isRunning)).toEqual([]);
  });
  afterAll(() => chaos?.stop());

  const probe = async (what: string, again: () => Promise<Answer>): Promise<Probe> => {
    const started = Date.now();
    const answer = await again();
    return { what, ms: Date.now() - started, answer, again };
  };
  const status = () => chaos.api.get(`/v1/room/${roomId}/status`);
  const join = () => chaos.api.post(`/v1/room/${roomId}/join`, { participant: person('student', 'STUDENT') });
  const creation = () => {
    const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
    const key = randomUUID();
    return () => chaos.api.post('/v1/room/create', body, { 'idempotency-key': key });
  };
  const probeAll = () => Promise.all([probe('status', status), probe('join', join), probe('create', creation())]);
  const health = async () => {
    const { status: code, body } = await new ApiClient(chaos.stack.urls.gateway).get('/v1/health/status');
    return `${code} ${body?.data?.status}`;
  };

  /** Stops the part until OUTAGE_MS have passed and health has reported it, with participants joining and leaving, and collects all answers. */
  async function without(part: ManagedProcess, reported: string, meanwhile = async () => {}): Promise<Outage> {
    const { livekit } = chaos;
    const uid = `${part.name}-${randomUUID().slice(0, 4)}`;
    const enter = (identity: string) => livekit.connect({ room: sid, identity, attributes: { role: 'STUDENT' } });
    const early = await enter(`${uid}-early`);
    await eventually(() => expectTruth(chaos.stack, livekit, sid));
    await part.stop();
    const since = Date.now();
    const healths = new Set<string>();
    const outage = async () => {
      await enter(`${uid}-during`);
      await livekit.leave(early.sid);
      await meanwhile();
      await sleep(Math.max(OUTAGE_MS - (Date.now() - since), 0));
      await eventually(() => expect(healths).toContain(reported));
    };
    const watched = () => pollDuring(1_000, async () => healths.add(await health()), outage);
    const answers = (await pollDuring(700, probeAll, watched)).flat();
    await part.start();
    return { answers, healths, left: early.sid };
  }

  async function expectFinal(connectionSid: string): Promise<void> {
    const found = (await connectionsOf(chaos.stack, sid)).filter((one) => one.connectionSid === connectionSid);
    expect(found).toMatchObject([{ isFinal: true, closedBy: 'webhook' }]);
  }

  /** Asserts that everything recovers soon without intervention, and that requests which were rejected now succeed. */
  async function expectRecovery(answers: Probe[], left?: string): Promise<void> {
    await eventually(async () => {
      for (const { answer } of await probeAll()) expect(answer.status).toBe(200);
    }, RECOVERY_MS);
    const refused = answers.filter(({ what, answer }) => what === 'create' && answer.status === 503);
    for (const { again } of refused) expect((await again()).status).toBe(200);
    await eventually(() => expectTruth(chaos.stack, chaos.livekit, sid, EXACT));
    // LiveKit's own event was processed; the end was not only derived by the reconciler.
    if (left) await eventually(() => expectFinal(left));
    await eventually(async () => expect(await health()).toBe('200 healthy'));
    await allPublished(chaos.stack, 'room');
  }

  /** Asserts that each answer is a 200 or a 503 in the error envelope, within the time limit. */
  function expectOrderly(answers: Probe[]): void {
    const unexpected = answers.filter(({ ms, answer: { status: code, body } }) => {
      const { success, error, requestId } = (body ?? {}) as { success?: boolean; error?: string; requestId?: string };
      const isRefusal = code === 503 && success === false && error === 'SERVICE_UNAVAILABLE' && requestId;
      return ms > TIMEOUT_MS || !(code === 200 || isRefusal);
    });
    expect(unexpected.map(({ what, ms, answer }) => `${what} ${answer.status} after ${ms} ms: ${answer.text}`)).toEqual([]);
  }

  const refusals = (answers: Probe[], what: string) => answers.filter((one) => one.what === what && one.answer.status === 503).length;

  inLongForm(it)('of NATS causes only 200 and 503, and recovers without intervention', async () => {
    const { answers, left } = await without(chaos.stack.part('nats'), '503 unhealthy');
    expectOrderly(answers);
    expect(refusals(answers, 'status')).toBeGreaterThan(0);
    await expectRecovery(answers, left);
  });

  it('of Postgres causes only 200 and 503, and recovers without intervention', async () => {
    const { answers, left } = await without(chaos.stack.part('postgres'), '503 unhealthy');
    expectOrderly(answers);
    expect(refusals(answers, 'status')).toBeGreaterThan(0);
    await expectRecovery(answers, left);
  });

  inLongForm(it)('of Redis delays neither answers nor the end of a class, and is reported by health', async () => {
    const { stack, livekit, api } = chaos;
    const short = await newRoom(api, { settings: { emptyTimeout: 1 } });
    const { answers, healths, left } = await without(stack.part('redis'), '200 degraded', async () => {
      const { sid: only } = await livekit.connect({ room: short.sid, identity: 'only' });
      await eventually(() => expectTruth(stack, livekit, short.sid));
      await livekit.leave(only);
      await eventually(async () => {
        expect((await api.get(`/v1/room/${short.roomId}/status`)).body.data.isActive).toBe(false);
      });
    });
    expect(answers.map(({ what, answer }) => `${what} ${answer.status}`).filter((one) => !one.endsWith(' 200'))).toEqual([]);
    expect(healths).not.toContain('503 unhealthy');
    await expectRecovery(answers, left);
  });

  inLongForm(it)(
    'of LiveKit, which hangs and then creates a room too late, causes a 503, frees the roomId, and leaves no room in LiveKit',
    async () => {
      const { stack, livekit, api } = chaos;
      await livekit.faults({ api: { mode: 'hang' } });
      const hanging = await probeAll();
      expectOrderly(hanging);
      expect(hanging.map(({ answer }) => answer.status)).toEqual([200, 200, 503]);
      await livekit.faults({ api: { mode: 'up', latencyMs: 4_200, methods: ['CreateRoom'] } });
      const body = { roomId: `room-${randomUUID()}`, title: 'Algebra', participant: person('teacher') };
      const late = await probe('create', () => api.post('/v1/room/create', body));
      expect(late.answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      await livekit.clearFaults();
      const given = async () => (await roomsNamed(stack, body.roomId)).filter(({ state }) => state === 'abandoned');
      await eventually(async () => expect(await given()).toMatchObject([{ media: 'closed' }]));
      // A slow LiveKit still executes the request, for the sid that we have already given up and closed.
      await liveKitAdmin(stack).createRoom({ name: (await given())[0]?.sid ?? '' });
      expect((await late.again()).status).toBe(200);
      await eventually(async () => expect(await liveKitRoomNames(stack)).toEqual(await roomsForLiveKit(stack)));
      await expectRecovery(hanging);
    },
    60_000,
  );
});
