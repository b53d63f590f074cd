import { randomUUID } from 'node:crypto';
import {
  attendanceEvaluated,
  creditThresholdReached,
  participantConnection,
  roomBudgetReached,
  roomCreated,
  roomFinished,
  roomStarted,
  roomUpdated,
} from '@classroom/contracts';
import {
  chargedCredits,
  eventually,
  expectBilledTruth,
  expectMoneyInvariants,
  expectPresenceInvariants,
  expectTruth,
  inLongForm,
  liveKitRoomNames,
  newOrganization,
  newRoom,
  person,
  roomsForLiveKit,
  roomsNamed,
  roomState,
  sleep,
  storedFacts,
  writtenFacts,
  type Answer,
  type ApiClient,
  type ManagedProcess,
  type TestStack,
} from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

/** The sweep resumes a creation that is not retried 15 s after it began; LiveKit delivers a webhook again after 15 s. */
const RESUMED_MS = 90_000;
/** The last step first: the sweep, which resumes the creations of earlier crashes, then does not pass the step at which the next process crashes. */
const CREATE_FAILPOINTS = ['room.create.after-commit', 'room.create.after-livekit', 'room.create.after-reserve'];
const BATCH_FAILPOINTS = [
  'room.webhook.before-transaction',
  'room.webhook.before-commit',
  'room.webhook.after-commit',
  'outbox.after-send',
];

/** An unacknowledged message is delivered again after 15 s, the job of a killed worker after 30 to 60 s. */
const SETTLED_MS = 90_000;
const PARTICIPANTS = 500;
/** Milliseconds between two participants who leave. */
const CHURN_MS = 20;
const KILLS = 20;
const BILLING_FAILPOINTS = [
  'billing.fold.before-transaction',
  'billing.fold.before-commit',
  'billing.fold.after-commit',
  'billing.rollup.before-transaction',
  'billing.rollup.before-commit',
  'billing.rollup.after-commit',
];
const ROOM_FAILPOINTS = ['room.webhook.before-transaction', 'room.webhook.before-commit', 'room.webhook.after-commit'];

interface Lesson {
  api: ApiClient;
  roomId: string;
  sid: string;
}

let chaos: ChaosStack;
beforeAll(async () => {
  chaos = await startChaosStack({ apps: CLASS_APPS, env: { billing: { ROLLUP_SECONDS: '2' } } });
});
afterAll(() => chaos?.stop());

describe('a kill of the room service', () => {
  afterEach(() => expectPresenceInvariants(chaos.stack));

  /** Starts the service so that it crashes at `failpoint`, triggers that with `provoke`, and waits for the crash. @returns what `provoke` started */
  async function crashAt<T>(failpoint: string, provoke: () => Promise<T>): Promise<{ provoked: Promise<T> }> {
    const room = chaos.stack.app('room');
    await room.stop();
    await room.start({ FAILPOINTS: `${failpoint}=crash` });
    const provoked = provoke();
    expect((await room.exited).signal).toBe('SIGKILL');
    return { provoked };
  }

  inLongForm(it)(
    'at each step of a creation lets a retry with the key find the same room, and loses no roomId',
    async () => {
      const { stack, api } = chaos;
      const attempts: { roomId: string; key: string | undefined; first: Promise<Answer> }[] = [];
      const create = ({ roomId, key }: { roomId: string; key: string | undefined }) =>
        api.post('/v1/room/create', { roomId, title: 'Algebra', participant: person('teacher') }, key ? { 'idempotency-key': key } : {});
      for (const failpoint of CREATE_FAILPOINTS) {
        for (const key of [randomUUID(), undefined]) {
          const roomId = `room-${randomUUID()}`;
          const { provoked } = await crashAt(failpoint, () => create({ roomId, key }));
          attempts.push({ roomId, key, first: provoked });
        }
      }
      await stack.app('room').start();

      for (const { roomId, key, first } of attempts) {
        expect((await first).body).toMatchObject({ success: false, error: 'SERVICE_UNAVAILABLE' });
        const [reserved] = await roomsNamed(stack, roomId);
        if (key) {
          const again = await create({ roomId, key });
          expect(again.status).toBe(200);
          expect(again.body.data.room).toEqual({ roomId, sid: reserved?.sid });
          const third = await create({ roomId, key });
          expect(third.body.data.room.sid).toBe(reserved?.sid);
        }
      }
      for (const { roomId, key } of attempts) {
        await eventually(async () => {
          const status = await api.get(`/v1/room/${roomId}/status`);
          expect(status.body.data.exists || (await create({ roomId, key })).status === 200).toBe(true);
        }, RESUMED_MS);
      }
      for (const { roomId } of attempts) {
        const states = (await roomsNamed(stack, roomId)).map(({ state }) => state);
        expect(states.filter((state) => state !== 'abandoned')).toEqual(['created']);
        expect((await api.post(`/v1/room/${roomId}/join`, { participant: person('student', 'STUDENT') })).status).toBe(200);
      }
      await eventually(async () => expect(await liveKitRoomNames(stack)).toEqual(await roomsForLiveKit(stack)));
      // Each was published once.
      const created = (await writtenFacts(stack, roomCreated)).map(({ data }) => data.sid);
      expect([created.length, new Set(created).size]).toEqual([attempts.length, attempts.length]);
    },
    90_000,
  );

  it('at each step of a batch of webhooks lets each of them take effect exactly once', async () => {
    const { stack, livekit, api } = chaos;
    const [room, gateway] = [stack.app('room'), stack.app('gateway')];
    const rooms = await Promise.all(Array.from({ length: 4 }, () => newRoom(api)));
    const sids = rooms.map(({ sid }) => sid);
    // Participant lists are unavailable, so that presence is known only from webhooks.
    await livekit.faults({ api: { mode: 'unavailable', methods: ['ListParticipants'] } });
    const enter = (name: string) =>
      livekit.connectMany(sids.flatMap((sid) => [1, 2, 3].map((n) => ({ room: sid, identity: `${name}-${n}` }))));
    const steady = await enter('steady');
    await eventually(() => Promise.all(sids.map((sid) => expectTruth(stack, livekit, sid))));
    const crashed = async (app: ManagedProcess) => expect((await app.exited).signal).toBe('SIGKILL');

    // What happens while the service is stopped waits for it, so it crashes in a batch, perhaps before it is ready.
    await room.stop();
    for (const failpoint of BATCH_FAILPOINTS) {
      await enter(failpoint);
      room.launch({ FAILPOINTS: `${failpoint}=crash` });
      await crashed(room);
    }
    await gateway.restart({ FAILPOINTS: 'gateway.webhook.after-store=crash' });
    const late = enter('gateway.webhook.after-store');
    await crashed(gateway);
    await Promise.all([gateway.start(), late]);
    await livekit.leaveMany(steady.map(({ sid }) => sid));
    room.launch({ FAILPOINTS: 'room.webhook.before-commit=crash' });
    await crashed(room);
    await room.start();
    await eventually(() => Promise.all(sids.map((sid) => expectTruth(stack, livekit, sid))), RESUMED_MS);
    await expectPresenceInvariants(stack);

    // In each room three people joined at the beginning and at each failpoint, and three left: as many versions and facts.
    const changes = 3 * (BATCH_FAILPOINTS.length + 3);
    for (const sid of sids) expect(await roomState(stack, sid)).toMatchObject({ version: changes });
    const versionsOf = async (sid: string) => {
      const facts = (await storedFacts(stack, participantConnection)).filter(({ subject }) => subject === sid);
      return facts.map(({ data }) => data.version).toSorted((x, y) => x - y);
    };
    for (const { sid } of rooms) {
      await eventually(async () => expect(await versionsOf(sid)).toEqual(Array.from({ length: changes }, (_, n) => n + 1)));
    }
    const started = (await storedFacts(stack, roomStarted)).map(({ subject }) => subject);
    expect(started.filter((sid) => sids.includes(sid)).toSorted()).toEqual(sids.toSorted());
    await livekit.clearFaults();
    for (const { roomId } of rooms) expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
  });
});

/** LiveKit's timers run at normal speed here, because a gateway does not start faster with them: LiveKit retries for 15 s. */
describe('a restart of the gateway', () => {
  const join = async (room: string, identity: string) =>
    (await chaos.livekit.connect({ room, identity, name: identity, attributes: { role: 'STUDENT' } })).sid;

  inLongForm(it)('lets LiveKit retry its webhooks, and every end is exact', async () => {
    const { stack, livekit, api } = chaos;
    const { sid, roomId } = await newRoom(api);
    const present: string[] = [];
    for (let n = 0; n < 6; n++) present.push(await join(sid, `before-${n}`));
    await eventually(() => expectTruth(stack, livekit, sid));
    await stack.app('gateway').stop();
    for (let n = 0; n < 4; n++) {
      await livekit.leave(present.shift() ?? '');
      present.push(await join(sid, `during-${n}`));
    }
    await stack.app('gateway').start();
    await eventually(() => expectTruth(stack, livekit, sid));
    await expectPresenceInvariants(stack);
    expect((await api.delete(`/v1/room/${roomId}`)).status).toBe(200);
  });
});

describe('a kill of billing or the room service', () => {
  async function newLesson(api: ApiClient): Promise<Lesson> {
    const { roomId, sid } = await newRoom(api, { settings: { maxParticipants: 1_000 } });
    return { api, roomId, sid };
  }

  const enter = (lesson: Lesson, identity: string) =>
    chaos.livekit.connect({ room: lesson.sid, identity, name: identity, attributes: { role: 'STUDENT' } });

  /** Ends all classes and compares each billed second with the actual presence. */
  async function endAndCompare(lessons: readonly Lesson[]): Promise<void> {
    const ends = new Map<string, number>();
    for (const { api, roomId, sid } of lessons) {
      const endedAt = await eventually(async () => {
        // A request whose answer was lost has ended the class; the next one gets 410.
        const { status } = await api.delete(`/v1/room/${roomId}`);
        expect([200, 410]).toContain(status);
        const { body } = await api.get(`/v1/room/${roomId}/summary`);
        return (body.data as { timestamps: { endedAt: string } }).timestamps.endedAt;
      });
      ends.set(sid, Date.parse(endedAt));
    }
    await expectMoneyInvariants(chaos.stack, SETTLED_MS);
    for (const { sid } of lessons) await expectBilledTruth(chaos.stack, chaos.livekit, sid, ends.get(sid) ?? 0);
    await expectCleanAudit(chaos.stack);
  }

  inLongForm(it)(
    'at each step between a webhook and the ledger bills each second once',
    async () => {
      const { stack } = chaos;
      // One organization each, because a crashed job delays the next charge of its organization.
      const lessons: Lesson[] = [];
      for (let n = 0; n < 4; n++) lessons.push(await newLesson((await newOrganization(stack)).api));
      const steady = await Promise.all(lessons.map((lesson) => enter(lesson, 'steady')));
      for (const [app, failpoints] of [
        ['room', ROOM_FAILPOINTS],
        ['billing', BILLING_FAILPOINTS],
      ] as const) {
        const process = stack.app(app);
        await process.stop();
        for (const [n, failpoint] of failpoints.entries()) {
          // Work that is already waiting may crash the process before it is ready.
          process.launch({ FAILPOINTS: `${failpoint}=crash` });
          const lesson = lessons[n % lessons.length] as Lesson;
          const { sid } = await enter(lesson, `at-${failpoint}`);
          if (n % 2 === 0) await chaos.livekit.leave(sid);
          expect((await process.exited).signal).toBe('SIGKILL');
        }
        await process.start();
      }
      await chaos.livekit.leave(steady[0]?.sid ?? '');
      await sleep(1_500);
      await endAndCompare(lessons);
    },
    180_000,
  );

  inLongForm(it)(
    'around the moment at which a class uses up a lowered budget ends the class once, and reports each share and each threshold once',
    async () => {
      const { stack, livekit } = chaos;
      const { api, organizationId } = await newOrganization(stack);
      const remaining = [999, 997, 995];
      expect((await api.put('/v1/billing/alerts', { remaining })).status).toBe(200);
      const budget = { maxCredits: 6, onReached: 'endClass' };
      const settings = { maxParticipants: 1_000, budget: { maxCredits: 1_000, onReached: 'warn' }, attendance: {} };
      const { roomId, sid } = await newRoom(api, { settings });
      // A minute each second.
      await livekit.connectMany(
        Array.from({ length: 60 }, (_, n) => ({ room: sid, identity: `uid-${n}`, attributes: { role: 'STUDENT' } })),
      );
      const [room, billing] = [stack.app('room'), stack.app('billing')];
      const crash = async (app: ManagedProcess, failpoint: string) => {
        await app.stop();
        app.launch({ FAILPOINTS: `${failpoint}=crash` });
        expect((await app.exited).signal).toBe('SIGKILL');
      };
      await crash(billing, 'billing.rollup.before-commit');
      // The class uses more than the budget that it will get while billing is stopped, so the next charge reaches all shares.
      await eventually(async () => {
        const { startedAt, verifiedAt } = await roomState(stack, sid);
        const seconds = ((verifiedAt?.getTime() ?? NaN) - (startedAt?.getTime() ?? NaN)) / 1000;
        expect(seconds).toBeGreaterThan(budget.maxCredits + 2);
      }, SETTLED_MS);
      expect((await api.patch(`/v1/room/${roomId}`, { settings: { budget } })).body.data).toMatchObject({ budget });
      await eventually(
        async () => expect((await storedFacts(stack, roomUpdated)).map(({ subject }) => subject)).toContain(sid),
        SETTLED_MS,
      );
      await room.stop();
      await crash(billing, 'billing.fold.before-commit');
      await crash(billing, 'billing.rollup.after-commit');
      await billing.start();
      for (const failpoint of ['room.budget.before-commit', 'room.budget.after-commit']) await crash(room, failpoint);
      await room.start();
      await eventually(
        async () => expect((await api.get(`/v1/room/${roomId}/summary`)).body.data).toMatchObject({ status: 'finished', budget }),
        SETTLED_MS,
      );
      await expectMoneyInvariants(stack, SETTLED_MS);
      const of = (facts: { subject: string; data: object }[]) => facts.filter(({ subject }) => subject === sid).map(({ data }) => data);
      expect(of(await storedFacts(stack, roomBudgetReached))).toMatchObject([{ percent: 50 }, { percent: 80 }, { percent: 100 }]);
      expect(of(await storedFacts(stack, roomFinished))).toMatchObject([{ reason: 'budget' }]);
      expect(of(await storedFacts(stack, attendanceEvaluated))).toMatchObject([{ counts: { present: 60 } }]);
      const thresholds = (await storedFacts(stack, creditThresholdReached)).map(({ data }) => data);
      expect(thresholds.filter((it) => it.organizationId === organizationId).map(({ threshold }) => threshold)).toEqual(remaining);
      const { events } = (
        await api.get('/v1/events?types=room.budget_reached,credits.threshold_reached,room.finished,attendance.evaluated')
      ).body.data;
      expect((events as { type: string }[]).map(({ type }) => type).sort()).toEqual([
        'attendance.evaluated',
        ...remaining.map(() => 'credits.threshold_reached'),
        ...[50, 80, 100].map(() => 'room.budget_reached'),
        'room.finished',
      ]);
    },
  );

  inLongForm(it)(
    `${KILLS} times at random moments, with ${PARTICIPANTS} participants joining and leaving, bills each second once`,
    async () => {
      const { stack, livekit, api } = chaos;
      const organizations = [api, (await newOrganization(stack)).api, (await newOrganization(stack, { billing: weekly() })).api];
      const lessons = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => newLesson(organizations[n] as ApiClient)));
      const present: { lesson: Lesson; sid: string; identity: string }[] = [];
      const come = async (identity: string, lesson: Lesson) => present.push({ lesson, identity, sid: (await enter(lesson, identity)).sid });
      for (let n = 0; n < PARTICIPANTS; n += 25) {
        await Promise.all(Array.from({ length: 25 }, (_, i) => come(`uid-${n + i}`, lessons[(n + i) % lessons.length] as Lesson)));
      }
      const over = new AbortController();
      const churn = (async () => {
        while (!over.signal.aborted) {
          const [leaver] = present.splice(Math.floor(Math.random() * present.length), 1);
          if (leaver) {
            // Some leave before they join again, others are replaced by their own new connection.
            if (Math.random() < 0.7) await livekit.leave(leaver.sid);
            await sleep(Math.random() * 30);
            await come(leaver.identity, leaver.lesson);
          }
          await sleep(CHURN_MS);
        }
      })();
      const before = await chargedCredits(stack);
      for (let n = 0; n < KILLS; n++) {
        // Some processes are killed while they start.
        await sleep(500 + Math.random() * 2_000);
        const process = stack.app(n % 2 === 0 ? 'billing' : 'room');
        await process.kill();
        process.launch();
      }
      await Promise.all(['billing', 'room'].map((name) => stack.app(name).ready()));
      over.abort();
      await churn;
      // Charges were made during the class, not only at its end.
      await eventually(async () => expect(await chargedCredits(stack)).toBeGreaterThan(before + PARTICIPANTS / 10), SETTLED_MS);
      await endAndCompare(lessons);
    },
  );
});

const weekly = () => ({ type: 'POSTPAID', billingFrequency: 'WEEKLY', creditRate: 0.5, currency: 'EUR' });

/** billing runs the audit when it starts. */
async function expectCleanAudit(stack: TestStack): Promise<void> {
  await stack.app('billing').restart();
  await sleep(1_000);
  expect(stack.log('billing')).not.toContain('the ledger does not add up');
}
