import {
  type ApiClient,
  byForm,
  eventually,
  expectBilledTruth,
  expectMoneyInvariants,
  inLongForm,
  newOrganization,
  newRoom,
  sleep,
  type TestStack,
} from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

/** An unacknowledged message is delivered again after 15 s, the job of a killed worker after 30 to 60 s. */
const SETTLED_MS = 90_000;
const PARTICIPANTS = byForm({ short: 100, long: 500 });
const KILLS = byForm({ short: 4, long: 20 });
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

describe('a kill of billing or the room service', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS, env: { billing: { ROLLUP_SECONDS: '2', CATCH_UP_SECONDS: '3' } } });
  });
  afterAll(() => chaos?.stop());

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
      const { status, body, text } = await eventually(async () => {
        const answer = await api.delete(`/v1/room/${roomId}`);
        expect(answer.status).toBe(200);
        return answer;
      });
      if (status !== 200) throw new Error(text);
      ends.set(sid, Date.parse(body.data.endedAt));
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

  it(`${KILLS} times at random moments, with ${PARTICIPANTS} participants joining and leaving, bills each second once`, async () => {
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
        await sleep(20);
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
    await eventually(async () => expect(await chargedCredits(stack)).toBeGreaterThan(before + 20), SETTLED_MS);
    await endAndCompare(lessons);
  });
});

const weekly = () => ({ type: 'POSTPAID', billingFrequency: 'WEEKLY', creditRate: 0.5, currency: 'EUR' });

async function chargedCredits(stack: TestStack): Promise<number> {
  const [row] = await stack.rows<{ sum: number }>('SELECT coalesce(sum(charged_credits), 0)::float8 AS sum FROM billing.room_meters');
  return row?.sum ?? 0;
}

/** billing runs the audit when it starts. */
async function expectCleanAudit(stack: TestStack): Promise<void> {
  await stack.app('billing').restart();
  await sleep(1_000);
  expect(stack.log('billing')).not.toContain('the ledger does not add up');
}
