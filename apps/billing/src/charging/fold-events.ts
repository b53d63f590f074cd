import { Inject, Injectable } from '@nestjs/common';
import {
  CONSUMERS,
  organizationUpdated,
  participantConnection,
  roomCheckpoint,
  roomCorrected,
  roomFinished,
  roomStarted,
  roomUpdated,
  sessionRecovered,
  type EventContract,
  type EventData,
  type EventEnvelope,
  type Organization,
} from '@classroom/contracts';
import { ConsumesBatch, fact, Outbox, type AcceptNew, type Delivery } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, InBackground, Loop, CONFIG, failpoint } from '@classroom/platform';
import type { BillingConfig } from '../config.js';
import { BudgetWarningsRepository } from '../metering/due-meters.repository.js';
import { MetersRepository, type EventRoom, type VersionedBudget } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { ApplyPlan } from '../plans/apply-plan.js';

/** Batches applied in parallel; their rooms differ. */
const CONCURRENCY = 2;
const BATCH_SIZE = 256;
const PARTITIONS_INTERVAL_MS = 3_600_000;

type Connection = EventData<typeof participantConnection>;
type Checkpoint = EventData<typeof roomCheckpoint>;
type Fact = Delivery<EventEnvelope>;

/**
 * Applies facts to sessions, meters and accounts, in whatever order they arrive. Inbox and effect share one transaction, for all facts about
 * rooms of a batch. A plan has a transaction of its own, because it locks an account, and charging locks accounts before meters.
 *
 * Connections and checkpoints get no row in the inbox: nearly all facts are connections or checkpoints. A connection changes its session only with a
 * higher version. A checkpoint replaces the earlier one as a whole, and changes nothing if the meter is already verified that far. Repeated or
 * late ones therefore have no effect.
 */
@Injectable()
export class FoldEvents {
  constructor(
    @Inject(CONFIG) private readonly config: BillingConfig,
    private readonly database: Database,
    private readonly sessions: SessionsRepository,
    private readonly meters: MetersRepository,
    private readonly budgetWarnings: BudgetWarningsRepository,
    private readonly applyPlan: ApplyPlan,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  @ConsumesBatch<EventEnvelope>(CONSUMERS.billingFold, { concurrency: CONCURRENCY, batchSize: BATCH_SIZE, keyOf: ({ subject }) => subject })
  async execute(facts: readonly Fact[], acceptNew: AcceptNew): Promise<void> {
    await failpoint('billing.fold.before-transaction');
    for (const fact of facts) if (is(fact.body, organizationUpdated)) await this.applyOrganization(fact, fact.body.data, acceptNew);
    const aboutRooms = facts.filter(({ body }) => !is(body, organizationUpdated));
    if (aboutRooms.length > 0) await this.applyToRooms(aboutRooms, acceptNew);
    await failpoint('billing.fold.after-commit');
  }

  private async applyOrganization(fact: Fact, organization: Organization, acceptNew: AcceptNew): Promise<void> {
    await this.applyPlan.prepare(organization);
    await this.database.transaction(async (tx) => {
      if ((await acceptNew(tx, [fact], idOf)).length > 0) await this.applyPlan.execute(tx, organization);
      await failpoint('billing.fold.before-commit');
    });
  }

  private async applyToRooms(facts: readonly Fact[], acceptNew: AcceptNew): Promise<void> {
    const bodies = facts.map(({ body }) => body);
    await this.sessions.addPartitions(dataOf(bodies, participantConnection));
    await this.database.transaction(async (tx) => {
      const counted = facts.filter((fact) => !isRepeatable(fact));
      const fresh = new Set(await acceptNew(tx, counted, idOf));
      const toApply = facts.filter((fact) => fresh.has(fact) || isRepeatable(fact));
      if (toApply.length > 0)
        await this.meters.lock(
          tx,
          toApply.map(({ body }) => roomOf(body)),
        );
      for (const round of roundsOf(toApply)) await this.applyRound(tx, round);
      await failpoint('billing.fold.before-commit');
    });
  }

  private async applyRound(tx: Transaction, facts: readonly Fact[]): Promise<void> {
    const bodies = facts.map(({ body }) => body);
    await this.fold(tx, dataOf(bodies, participantConnection));
    await this.recordCheckpoints(tx, dataOf(bodies, roomCheckpoint));
    const titles = bodies.filter((body) => TITLED.some((contract) => is(body, contract))).map(({ data }) => data as Titled);
    if (titles.length > 0) await this.meters.setTitles(tx, latestBy(titles, 'sid'));
    await this.setBudgets(tx, budgetsOf(bodies));
    for (const { body, traceparent } of facts) {
      if (is(body, roomFinished)) await this.meters.recordTotals(tx, body.data.sid, body.data, this.clock.now(), traceparent);
      if (is(body, roomCorrected)) await this.meters.recordCorrection(tx, body.data.sid, body.data, this.clock.now());
    }
  }

  /** Applies connections that the catch-up fetched. The copy in ClickHouse gets them as facts, because it may lack the same facts. */
  async applyConnections(connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return;
    await this.sessions.addPartitions(connections);
    await this.database.transaction(async (tx) => {
      await this.meters.lock(
        tx,
        connections.map((room) => ({ ...room, isMetered: true })),
      );
      await this.fold(tx, connections);
      if (this.config.REPORTS_CLICKHOUSE_URL !== undefined)
        await this.outbox.addAll(
          tx,
          connections.map((connection) => fact(sessionRecovered, connection.sid, connection)),
        );
    });
  }

  /** `tx` must hold the locks of the meters. */
  private async fold(tx: Transaction, connections: readonly Connection[]): Promise<void> {
    if (connections.length === 0) return;
    const latest = latestBy(connections, 'connectionSid', (known, connection) => known.version < connection.version);
    await this.sessions.upsert(tx, latest);
    const rooms = new Map<string, { sid: string; version: number; joinedAt: string }>();
    for (const { sid, version, joinedAt } of connections) {
      const room = rooms.get(sid) ?? { sid, version, joinedAt };
      rooms.set(sid, { sid, version: Math.max(version, room.version), joinedAt: joinedAt < room.joinedAt ? joinedAt : room.joinedAt });
    }
    await this.meters.advanceVersions(tx, [...rooms.values()], this.nextRollup(), this.clock.now());
  }

  private async recordCheckpoints(tx: Transaction, checkpoints: readonly Checkpoint[]): Promise<void> {
    if (checkpoints.length === 0) return;
    const latest = latestBy(checkpoints, 'sid', (known, checkpoint) => Date.parse(known.verifiedAt) < Date.parse(checkpoint.verifiedAt));
    const rows = latest.map(({ sid, verifiedAt, unseen }) => ({ sid, verifiedAt, unseen: secondsOf(unseen) }));
    await this.meters.recordCheckpoints(tx, rows, this.nextRollup());
  }

  private async setBudgets(tx: Transaction, budgets: readonly VersionedBudget[]): Promise<void> {
    if (budgets.length === 0) return;
    const latest = latestBy(budgets, 'sid', (known, other) => known.version <= other.version);
    const stored = await this.meters.setBudgets(tx, latest, this.clock.now());
    if (latest.some(({ version }) => version > 0)) await this.budgetWarnings.forgetNotReached(tx, stored);
  }

  private nextRollup(): Date {
    return new Date(this.clock.now().getTime() + this.config.ROLLUP_SECONDS * 1000);
  }
}

/** Adds the partitions of the coming months, so that folding does not wait for them. Several processes may do so. */
@Injectable()
export class AddSessionPartitions {
  @InBackground() private readonly loop = new Loop('session-partitions', PARTITIONS_INTERVAL_MS, () => this.execute());

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly clock: Clock,
  ) {}

  private execute(): Promise<void> {
    return this.sessions.addPartitionsAhead(this.clock.now());
  }
}

type Titled = EventRoom & { title: string };
/** The facts about a room that state its title. */
const TITLED = [roomStarted, roomUpdated, roomFinished, roomCorrected];

/**
 * A room that no participant has reached has no meter, unless its budget was changed. The later of two facts may come first: the end begins the meter too,
 * where an earlier fact would. A meter that such a fact begins after the end would never be settled.
 */
function roomOf(body: EventEnvelope): EventRoom {
  let isMetered = true;
  if (is(body, roomFinished)) isMetered = body.data.lastVersion > 0 || Boolean(body.data.budgetVersion);
  else if (is(body, roomUpdated)) isMetered = Boolean(body.data.budgetVersion);
  return { ...(body.data as EventRoom), isMetered };
}

/** The budgets that facts state. That of the start may be repeated, or late: it counts only while none has changed. */
function budgetsOf(events: readonly EventEnvelope[]): VersionedBudget[] {
  return [
    ...dataOf(events, roomStarted).flatMap(({ sid, budget }) => (budget ? [{ sid, budget, version: 0 }] : [])),
    ...dataOf(events, roomUpdated).flatMap(({ sid, budget = null, budgetVersion: version }) => (version ? [{ sid, budget, version }] : [])),
  ];
}

const idOf = ({ body }: Fact) => body.id;

/** Whether applying the fact again has no effect. */
const isRepeatable = ({ body }: Fact) => is(body, participantConnection) || is(body, roomCheckpoint);

/**
 * The facts in rounds: a connection that follows a checkpoint of its room belongs to a later round, because a session records up to when its
 * room was verified before it.
 */
function roundsOf(facts: readonly Fact[]): Fact[][] {
  const rounds: Fact[][] = [];
  const rooms = new Map<string, { round: number; isVerified: boolean }>();
  for (const fact of facts) {
    const room = rooms.get(fact.body.subject) ?? { round: 0, isVerified: false };
    if (is(fact.body, roomCheckpoint)) room.isVerified = true;
    else if (room.isVerified && is(fact.body, participantConnection)) Object.assign(room, { round: room.round + 1, isVerified: false });
    rooms.set(fact.body.subject, room);
    (rounds[room.round] ??= []).push(fact);
  }
  return rounds;
}

/** Of each key one element, because one statement writes a row once: the newest, or the last if `isOlder` is not given. */
function latestBy<K extends string, T extends Record<K, string>>(
  all: readonly T[],
  key: K,
  isOlder: (known: T, other: T) => boolean = () => true,
): T[] {
  const latest = new Map<string, T>();
  for (const element of all) {
    const known = latest.get(element[key]);
    if (!known || isOlder(known, element)) latest.set(element[key], element);
  }
  return [...latest.values()];
}

/** Narrows an event to a contract's type. The data is not validated, because only our own services publish facts. */
function is<C extends EventContract>(event: EventEnvelope, contract: C): event is EventEnvelope<EventData<C>> {
  return event.type === contract.type;
}

const dataOf = <C extends EventContract>(events: readonly EventEnvelope[], contract: C): EventData<C>[] =>
  events.flatMap((event) => (is(event, contract) ? [event.data] : []));

const secondsOf = (unseen: Checkpoint['unseen']) =>
  Object.fromEntries(unseen.map(({ connectionSid, seenAt }) => [connectionSid, Math.floor(Date.parse(seenAt) / 1000)]));
