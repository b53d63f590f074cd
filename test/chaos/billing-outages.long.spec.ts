import { randomUUID } from 'node:crypto';
import { participantConnection, roomCheckpoint, roomCreated, roomFinished, roomStarted } from '@classroom/contracts';
import {
  adminApi,
  allPublished,
  eventually,
  expectBilledTruth,
  expectMoneyInvariants,
  inLongForm,
  meterOf,
  newOrganization,
  newRoom,
  postWebhook,
  purgeFacts,
  sessionsOf,
  sleep,
  type ApiClient,
} from '@classroom/testing';
import { CLASS_APPS, startChaosStack, type ChaosStack } from './support.js';

const PERIOD_S = 1;
const PEOPLE = 40;
/**
 * Tolerance for ends that are known only from participant lists: a connection ends at the last list that contained it. Allows two periods,
 * and one second for a slow machine.
 */
const BY_LISTS = { earlySeconds: 2 * PERIOD_S + 1, lateSeconds: 1 };

interface Lesson {
  organizationId: string;
  api: ApiClient;
  roomId: string;
  sid: string;
}

describe('billing during an outage', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    const env = { room: { RECONCILE_SECONDS: String(PERIOD_S) }, billing: { ROLLUP_SECONDS: '1' } };
    chaos = await startChaosStack({ apps: CLASS_APPS, env });
  });
  afterEach(async () => {
    chaos.ingress.answerInstead = undefined;
    await chaos.livekit.clearFaults();
  });
  afterAll(() => chaos?.stop());

  async function newLesson(): Promise<Lesson> {
    const organization = await newOrganization(chaos.stack);
    return { ...organization, ...(await newRoom(organization.api, { settings: { maxParticipants: 100 } })) };
  }

  const enter = async ({ sid: room }: Lesson, people: number) => {
    const who = Array.from({ length: people }, () => ({ room, identity: `uid-${randomUUID()}`, attributes: { role: 'STUDENT' } }));
    return (await chaos.livekit.connectMany(who)).map(({ sid }) => sid);
  };

  async function end({ api, roomId }: Lesson): Promise<number> {
    const answer = await eventually(async () => {
      const deleted = await api.delete(`/v1/room/${roomId}`);
      expect(deleted.status).toBe(200);
      return deleted;
    });
    return Date.parse(answer.body.data.endedAt);
  }

  const charged = async ({ sid }: Lesson) => (await meterOf(chaos.stack, sid)) ?? { charged: 0, isSettled: false };
  const atLeast = (lesson: Lesson, credits: number, withinMs = 60_000) =>
    eventually(async () => expect((await charged(lesson)).charged).toBeGreaterThanOrEqual(credits), withinMs);

  const entriesOf = async ({ organizationId, sid }: Lesson) => {
    const { body } = await adminApi(chaos.stack).get(`/v1/admin/organizations/${organizationId}/ledger?limit=100`);
    const entries = body.data.entries as { entryId: string; kind: string; credits: number; sid: string; correctsEntryId: string | null }[];
    return entries.filter((entry) => entry.sid === sid).reverse();
  };

  inLongForm(it)(
    'of all webhooks ends each session within two periods of the true end, and charges nothing else',
    async () => {
      const { stack, livekit } = chaos;
      await livekit.faults({ webhooks: { lossRate: 1 } });
      const lesson = await newLesson();
      const staying = await enter(lesson, 10);
      const leaving = await enter(lesson, 10);
      // Wait until each participant was in a list. Without a webhook, a participant who was in no list can't be known.
      await eventually(async () => {
        expect(await sessionsOf(stack, lesson.sid)).toHaveLength(20);
      });
      for (const sid of leaving) await livekit.leave(sid).then(() => sleep(150));
      await enter(lesson, 10);
      await sleep(2_500);
      await livekit.leaveMany(staying.slice(0, 5));
      await sleep(3_000);
      const endedAt = await end(lesson);
      await expectMoneyInvariants(stack);
      await expectBilledTruth(stack, livekit, lesson.sid, endedAt, BY_LISTS);
    },
    60_000,
  );

  inLongForm(it)(
    'of LiveKit, which loses all participants, charges no unverified second, even if the class ends meanwhile',
    async () => {
      const { stack, livekit } = chaos;
      const lessons = [await newLesson(), await newLesson()] as const;
      for (const lesson of lessons) await enter(lesson, PEOPLE);
      await Promise.all(lessons.map((lesson) => atLeast(lesson, 3)));
      const lostAt = Date.now();
      await livekit.loseNode(15_000);
      await sleep(2_000);
      const before = await Promise.all(lessons.map(charged));
      await sleep(9_000);
      // Otherwise 40 participants for nine seconds would be charged six credits.
      expect(await Promise.all(lessons.map(charged))).toEqual(before);
      const [ended, continued] = lessons;
      const ends = [await end(ended)];
      await sleep(Math.max(lostAt + 17_000 - Date.now(), 0));
      await enter(continued, 5);
      await sleep(2_000);
      ends.push(await end(continued));
      await expectMoneyInvariants(stack);
      for (const [n, lesson] of lessons.entries()) await expectBilledTruth(stack, livekit, lesson.sid, ends[n] ?? 0, BY_LISTS);
    },
    90_000,
  );

  inLongForm(it)(
    'of LiveKit’s API, while all participants stay, charges nothing meanwhile, and all of it when the lists are back',
    async () => {
      const { stack, livekit } = chaos;
      const lesson = await newLesson();
      await enter(lesson, PEOPLE);
      await atLeast(lesson, 2);
      await livekit.faults({ api: { mode: 'unavailable' } });
      await sleep(2_500);
      const { charged: before } = await charged(lesson);
      await sleep(4_000);
      expect((await charged(lesson)).charged).toBe(before);
      await livekit.clearFaults();
      await atLeast(lesson, before + 4);
      const endedAt = await end(lesson);
      await expectMoneyInvariants(stack);
      await expectBilledTruth(stack, livekit, lesson.sid, endedAt);
    },
    60_000,
  );

  it('of billing, while classes end, finds them in the facts or asks the room service, and settles every second', async () => {
    const { stack, livekit } = chaos;
    const lessons = [await newLesson(), await newLesson(), await newLesson()] as const;
    const people: string[] = [];
    for (const lesson of lessons) people.push(...(await enter(lesson, PEOPLE)).slice(0, 5));
    await Promise.all(lessons.map((lesson) => atLeast(lesson, 1)));
    await stack.app('billing').stop();
    for (const sid of people) await livekit.leave(sid);
    for (const lesson of lessons) await enter(lesson, 5);
    await sleep(2_000);
    const ends: number[] = [];
    for (const lesson of lessons) ends.push(await end(lesson));
    await allPublished(stack, 'room');
    expect(await purgeFacts(stack, participantConnection, lessons[1].sid)).toBeGreaterThan(0);
    await stack.app('billing').start();
    await expectMoneyInvariants(stack);
    for (const [n, lesson] of lessons.entries()) {
      await expectBilledTruth(stack, livekit, lesson.sid, ends[n] ?? 0);
      expect((await entriesOf(lesson)).map(({ kind }) => kind)).not.toContain('ADJUSTMENT');
    }
  });

  inLongForm(it)(
    'of billing for a whole class, whose facts are all lost, charges what the room service has',
    async () => {
      const { stack, livekit } = chaos;
      await stack.app('billing').stop();
      const lesson = await newLesson();
      const people = await enter(lesson, PEOPLE);
      await sleep(2_500);
      await livekit.leaveMany(people.slice(0, 5));
      const endedAt = await end(lesson);
      await allPublished(stack, 'room');
      for (const contract of [roomCreated, roomStarted, participantConnection, roomFinished]) {
        expect(await purgeFacts(stack, contract, lesson.sid)).toBeGreaterThan(0);
      }
      await purgeFacts(stack, roomCheckpoint, lesson.sid);
      await stack.app('billing').start();
      await eventually(async () => expect(await charged(lesson)).toMatchObject({ isSettled: true }));
      await expectMoneyInvariants(stack);
      await expectBilledTruth(stack, livekit, lesson.sid, endedAt);
    },
    90_000,
  );

  inLongForm(it)(
    'of NATS, stopped and killed during a class, charges the true sessions',
    async () => {
      const { stack, livekit } = chaos;
      const lesson = await newLesson();
      const people = await enter(lesson, PEOPLE);
      await atLeast(lesson, 1);
      for (const how of ['stop', 'kill'] as const) {
        await stack.part('nats')[how]();
        await livekit.leaveMany(people.splice(0, 5));
        people.push(...(await enter(lesson, 5)));
        await sleep(1_500);
        await stack.part('nats').start();
        await atLeast(lesson, (await charged(lesson)).charged + 1, 20_000);
      }
      const endedAt = await end(lesson);
      await expectMoneyInvariants(stack);
      await expectBilledTruth(stack, livekit, lesson.sid, endedAt, BY_LISTS);
    },
    90_000,
  );

  inLongForm(it)('of Redis still charges credits for minutes', async () => {
    const { stack, livekit } = chaos;
    const lesson = await newLesson();
    await enter(lesson, PEOPLE);
    await atLeast(lesson, 1);
    await stack.part('redis').stop();
    try {
      await atLeast(lesson, (await charged(lesson)).charged + 2);
    } finally {
      await stack.part('redis').start();
    }
    const endedAt = await end(lesson);
    await expectMoneyInvariants(stack);
    await expectBilledTruth(stack, livekit, lesson.sid, endedAt);
  });

  inLongForm(it)(
    'of webhooks until the class was settled adds adjustments that name the corrected entry',
    async () => {
      const { stack, livekit } = chaos;
      const lesson = await newLesson();
      const people = await enter(lesson, PEOPLE);
      await atLeast(lesson, 3);
      await livekit.faults({ webhooks: { lossRate: 1 } });
      const endedAt = Math.floor((await end(lesson)) / 1000);
      await eventually(async () => expect(await charged(lesson)).toMatchObject({ isSettled: true }));
      const settled = await entriesOf(lesson);
      const truth = new Map((await livekit.truth(lesson.sid)).map((one) => [one.sid, one]));
      const left = (sid: string, identity: string, joinedAt: number, at: number) =>
        postWebhook(stack, {
          event: 'participant_left',
          id: `EV_${randomUUID()}`,
          createdAt: String(at),
          room: { sid: 'RM_of_livekit', name: lesson.sid },
          participant: { sid, identity, state: 'DISCONNECTED', joinedAt: String(joinedAt) },
        });
      const adjusted = async () => {
        const entries = await entriesOf(lesson);
        expect(entries.length).toBeGreaterThan(settled.length);
        return entries;
      };

      // A participant that no event had reported before was present for five minutes.
      expect(await left('PA_unheard', 'unheard', endedAt - 300, endedAt)).toBe(200);
      const [more] = (await eventually(adjusted)).slice(settled.length);
      expect(more).toMatchObject({ kind: 'ADJUSTMENT', credits: -5, correctsEntryId: settled.at(-1)?.entryId });

      // All others had left one second after they joined.
      for (const sid of people) {
        const { identity = '', connectedAt = 0 } = truth.get(sid) ?? {};
        const joinedAt = Math.floor(connectedAt / 1000);
        expect(await left(sid, identity, joinedAt, joinedAt + 1)).toBe(200);
      }
      await expectMoneyInvariants(stack);
      const entries = await entriesOf(lesson);
      const corrections = entries.slice(settled.length + 1);
      expect(corrections.length).toBeGreaterThan(0);
      for (const [n, entry] of corrections.entries()) {
        expect(entry).toMatchObject({ kind: 'ADJUSTMENT', correctsEntryId: entries[settled.length + n]?.entryId });
      }
      expect(entries.reduce((sum, { credits }) => sum - credits, 0)).toBe(Math.ceil((300 + PEOPLE) / 60));
    },
    60_000,
  );
});
