import { array, asyncProperty, check, constantFrom, integer, record, type Arbitrary } from 'fast-check';
import { creditsOf, roomFinished, type EventEnvelope, type roomRpc, type RpcInput } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { inParallel } from '@classroom/platform';
import { byForm, expectLedgerInvariants, sessionsOf } from '@classroom/testing';
import { BillingFixture, Crash } from './support/billing-fixture.js';
import { RoomModel, type RoomEvent } from './support/room-model.js';

const ROOMS_PER_RUN = 60;
/** Most rooms whose facts share batches, and most facts of a batch. */
const ROOMS_PER_GROUP = 8;
const MOST_IN_BATCH = 24;
/** Batches that are applied in parallel: fewer than connections to the database. */
const CONCURRENCY = 6;
const RUNS = byForm({ short: 5, long: 40 });
/** Milliseconds from the start of a run to the end of the postpaid organization's cycle. */
const CYCLE_ENDS_MS = 300_000;

type Step = RoomEvent & { pauseS: number };
interface Plan {
  classes: Step[][];
  seed: number;
}

const step: Arbitrary<Step> = record({
  what: constantFrom<RoomEvent['what']>(
    'join',
    'join',
    'join',
    'late-join',
    'rejoin',
    'leave',
    'leave',
    'late-leave',
    'leave-unheard',
    'aborted',
    'list',
    'list',
    'list',
    'blind-list',
    'blind-list',
    'reappear',
    'finish',
  ),
  who: integer({ min: 0, max: 5 }),
  ago: integer({ min: 0, max: 40 }),
  pauseS: integer({ min: 0, max: 50 }),
});
const plan: Arbitrary<Plan> = record({
  classes: array(array(step, { minLength: 1, maxLength: 14 }), { minLength: ROOMS_PER_RUN, maxLength: ROOMS_PER_RUN, size: 'max' }),
  seed: integer(),
});

/** How facts are delivered: in order, with duplicates, and again after a crash; if lossy, also reordered and lost. */
interface DeliveryOptions {
  isLossy: boolean;
}

describe('every minute is billed once', () => {
  let fixture: BillingFixture;
  const rooms = new Map<string, RoomModel>();
  let runs = 0;

  beforeAll(async () => {
    fixture = await BillingFixture.start();
    fixture.connectionsOf = (async (_, { sid, after, limit }: RpcInput<typeof roomRpc.connections>) => ({
      connections: rooms.get(sid)?.page(after, limit) ?? [],
    })) as RpcClient['call'];
  });
  afterAll(() => fixture?.stop());

  class Run {
    private readonly id = (runs += 1);
    private readonly random: () => number;
    private readonly undelivered = new Map<string, EventEnvelope[]>();
    private readonly deliveredCounts = new Map<string, number>();
    private readonly settled = new Set<string>();
    private accountIds: string[] = [];
    private classes: { room: RoomModel; steps: Step[] }[] = [];

    constructor(
      private readonly plan: Plan,
      private readonly delivery: DeliveryOptions,
    ) {
      this.random = mulberry(plan.seed);
    }

    async execute(): Promise<void> {
      await this.begin();
      const rounds = Math.max(...this.classes.map(({ steps }) => steps.length));
      for (let round = 0; round < rounds; round++) {
        for (const { room, steps } of this.classes) {
          const step = steps[round];
          if (step) room.happen({ ...step, ago: step.ago }, this.seconds);
        }
        await Promise.all([this.deliver(), this.rollUpAtTimes()]);
        await this.check();
        fixture.clock.at += (this.classes[round % this.classes.length]?.steps[0]?.pauseS ?? 10) * 1000 + 1_000;
      }
      await this.finish();
      await this.checkEnd();
    }

    private get seconds(): number {
      return Math.floor(fixture.clock.at / 1000);
    }

    private happens(probability: number): boolean {
      return this.random() < probability;
    }

    private async begin(): Promise<void> {
      fixture.database.fate = () => 'lives';
      const weekBefore = new Date(fixture.clock.at - 7 * 86_400_000 + CYCLE_ENDS_MS);
      const organizations = [await fixture.organization(), await fixture.organization(), await fixture.organization(weekBefore)];
      this.accountIds = organizations.map(({ accountId }) => accountId);
      this.classes = this.plan.classes.map((steps, n) => {
        const room = new RoomModel(organizations[n % 3]?.organizationId ?? '', `RM_${this.id}_${n}`);
        rooms.set(room.sid, room);
        return { room, steps };
      });
      fixture.database.fate = () => (this.happens(0.03) ? 'dies-before-commit' : this.happens(0.03) ? 'dies-after-commit' : 'lives');
    }

    /** Delivers the new facts of all rooms: some rooms share batches, and some batches are applied in parallel. */
    private async deliver(): Promise<void> {
      const lanes = this.classes.map(({ room }) => this.lane(room));
      const groups: EventEnvelope[][] = [];
      while (lanes.length > 0) groups.push(takingTurns(lanes.splice(0, 1 + Math.floor(this.random() * ROOMS_PER_GROUP))));
      await inParallel(groups, CONCURRENCY, (facts) => this.take(facts));
    }

    private lane(room: RoomModel): EventEnvelope[] {
      const from = this.deliveredCounts.get(room.sid) ?? 0;
      this.deliveredCounts.set(room.sid, room.facts.length);
      const endsAt = room.facts.findIndex(({ type }) => type === roomFinished.type);
      const sent = room.facts.slice(from).flatMap((fact, n) => {
        const isLost = this.delivery.isLossy && (endsAt === -1 || from + n < endsAt) && this.happens(0.12);
        const copy = this.happens(0.1) ? [fact] : [];
        return isLost ? [] : [fact, ...copy];
      });
      const facts = [...(this.undelivered.get(room.sid) ?? []), ...sent];
      if (!this.delivery.isLossy) return facts;
      shuffle(facts, this.random);
      this.undelivered.set(room.sid, this.happens(0.5) ? facts.splice(0, Math.floor(this.random() * 3)) : []);
      return facts;
    }

    /** Facts come one by one or in batches. */
    private async take(facts: EventEnvelope[]): Promise<void> {
      for (let at = 0, size = 1; at < facts.length; at += size) {
        size = this.happens(0.5) ? 1 : 1 + Math.floor(this.random() * MOST_IN_BATCH);
        const batch = facts.slice(at, at + size);
        for (;;) {
          const outcome = await fixture.foldAll(batch).catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error;
            return 'crashed' as const;
          });
          if (outcome !== 'crashed') break;
          if (!this.delivery.isLossy) continue;
          // The batch is delivered again after others.
          for (const fact of batch) this.undelivered.set(fact.subject, [...(this.undelivered.get(fact.subject) ?? []), fact]);
          break;
        }
      }
    }

    /** Runs jobs at random times, several in parallel. Each job is safe to repeat, and an account may belong to several. */
    private async rollUpAtTimes(): Promise<void> {
      const jobs = Array.from({ length: 3 }, () => this.accountIds.filter(() => this.happens(0.4)));
      if (this.happens(0.5)) fixture.clock.at += 61_000;
      await Promise.all(
        [...jobs.map((ids) => fixture.rollUp.execute(ids)), ...(this.happens(0.2) ? [fixture.catchUp.run()] : [])].map(ignoreCrash),
      );
    }

    /** Nothing unverified is charged, and rooms are settled only with totals that they had. */
    private async check(): Promise<void> {
      for (const meter of await this.meters()) {
        const room = rooms.get(meter.sid);
        if (!room) continue;
        if (!this.delivery.isLossy && meter.charged > creditsOf(room.chargeableSeconds)) {
          throw new Error(`${meter.sid} was charged ${meter.charged} credits of ${room.chargeableSeconds} verified seconds`);
        }
        if (!meter.isSettled || this.settled.has(meter.sid)) continue;
        this.settled.add(meter.sid);
        if (!room.totalsSinceEnd.map(creditsOf).includes(meter.charged)) {
          throw new Error(`${meter.sid} was settled at ${meter.charged} credits; it came to ${room.totalsSinceEnd.join(', then ')} s`);
        }
      }
    }

    private async finish(): Promise<void> {
      fixture.database.fate = () => 'lives';
      for (const { room } of this.classes) if (!room.isFinished) room.finish(this.seconds, this.happens(0.8));
      while (
        this.classes.some(
          ({ room }) => room.facts.length > (this.deliveredCounts.get(room.sid) ?? 0) || this.undelivered.get(room.sid)?.length,
        )
      ) {
        await this.deliver();
      }
      for (let turn = 0; turn < 40; turn++) {
        fixture.clock.at += turn === 1 ? 120_000 : 6_000;
        await fixture.rollUp.execute(this.accountIds);
        await this.check();
        await fixture.catchUp.run();
        if ((await this.meters()).every(({ isSettled, isDue }) => isSettled && !isDue)) return;
      }
      const open = (await this.meters()).filter(({ isSettled, isDue }) => !isSettled || isDue);
      throw new Error(`never settled: ${JSON.stringify(open)}`);
    }

    private async checkEnd(): Promise<void> {
      const inSeconds = (at: Date | null) => at && at.getTime() / 1000;
      const meters = new Map((await this.meters()).map((meter) => [meter.sid, meter]));
      for (const { room } of this.classes) {
        const sessions = (await sessionsOf(fixture.stack, room.sid)).map(({ connectionSid, joinedAt, leftAt }) => ({
          connectionSid,
          joinedAt: inSeconds(joinedAt),
          leftAt: inSeconds(leftAt),
        }));
        expect({ sid: room.sid, sessions }).toEqual({ sid: room.sid, sessions: room.sessions });
        expect({ sid: room.sid, charged: meters.get(room.sid)?.charged ?? 0 }).toEqual({
          sid: room.sid,
          charged: creditsOf(room.totalSeconds),
        });
      }
      await expectLedgerInvariants(fixture.stack);
      expect(await fixture.audit()).toEqual([]);
    }

    private meters(): Promise<{ sid: string; charged: number; isSettled: boolean; isDue: boolean }[]> {
      return fixture.dataSource.query(
        `SELECT sid, charged_credits AS charged, settled_at IS NOT NULL AS "isSettled", due_at IS NOT NULL AS "isDue"
           FROM room_meters WHERE sid LIKE $1`,
        [`RM\\_${this.id}\\_%`],
      );
    }
  }

  it.each([
    ['that arrive in order, with duplicates and crashes', { isLossy: false }],
    ['that are reordered and lost, with crashes', { isLossy: true }],
  ])(
    'for random classes with facts %s',
    async (_, delivery) => {
      const { failed, seed, errorInstance } = await check(
        asyncProperty(plan, (it) => new Run(it, delivery).execute()),
        {
          numRuns: RUNS,
          endOnFailure: true,
          ...(process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {}),
        },
      );
      if (failed) throw new Error(`SEED=${seed} ${errorInstance instanceof Error ? errorInstance.message : ''}`, { cause: errorInstance });
    },
    byForm({ short: 120_000, long: 900_000 }),
  );
});

async function ignoreCrash(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Of each list the first, then of each the second, and so on: the facts of one room keep their order. */
function takingTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function shuffle(items: EventEnvelope[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] as EventEnvelope, items[i] as EventEnvelope];
  }
}
