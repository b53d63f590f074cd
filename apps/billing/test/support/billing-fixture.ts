import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import {
  CONSUMERS,
  NO_CONSENT_ASKED,
  organizationUpdated,
  participantConnection,
  quotasOf,
  retentionOf,
  roomFinished,
  roomRpc,
  type EntryKind,
  type EventContract,
  type EventData,
  type EventEnvelope,
  type Organization,
} from '@classroom/contracts';
import { acceptNew, MESSAGING_MIGRATIONS, Outbox, untraced, type OutboxRelay, type RpcClient } from '@classroom/messaging';
import { connect, Database, runMigrations, type Transaction } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { envelopeOf, meterOf, TestStack, writtenFacts, type MeterRow } from '@classroom/testing';
import { entities } from '../../src/schema/sql.js';
import type { StatementEntity } from '../../src/schema/statement.entity.js';
import { AccountEntity } from '../../src/schema/account.entity.js';
import { AccountsRepository, ClassroomsRepository } from '../../src/ledger/accounts.repository.js';
import { ApplyPlan } from '../../src/plans/apply-plan.js';
import { CycleSumsRepository, PlansRepository, StatementsRepository } from '../../src/plans/statements.repository.js';
import { AuditRepository, type Finding } from '../../src/charging/audit.repository.js';
import { LedgerAudit } from '../../src/charging/ledger-audit.js';
import type { BillingConfig } from '../../src/config.js';
import { CloseCycles, WriteStatement } from '../../src/plans/close-cycles.js';
import { sidesOf, signedCredits } from '../../src/ledger/ledger-entry.js';
import { LedgerRepository } from '../../src/ledger/ledger.repository.js';
import { PostEntries } from '../../src/ledger/post-entries.js';
import { ExplainAiUsage, ExplainEntry } from '../../src/credits/read-ledger.js';
import { CatchUp, FinishedRooms } from '../../src/charging/catch-up.js';
import { CatchUpRepository, FinishedRoomsRepository } from '../../src/charging/catch-up.repository.js';
import { ChargeMeters } from '../../src/metering/charge-meters.js';
import { PublishReachedBudgets, RollUp } from '../../src/charging/roll-up.js';
import { FoldEvents } from '../../src/charging/fold-events.js';
import { AiUsagesRepository } from '../../src/metering/ai-usage.repository.js';
import { BudgetWarningsRepository, DueMetersRepository } from '../../src/metering/due-meters.repository.js';
import { MetersRepository } from '../../src/metering/meters.repository.js';
import { SessionsRepository } from '../../src/metering/sessions.repository.js';

export class WorldClock extends Clock {
  at = Date.now();

  override now(): Date {
    return new Date(this.at);
  }
}

export class Crash extends Error {}

/** Rolls a transaction back whose work succeeded. */
class Undo extends Error {}

/** A database whose process can die before or after a commit. What should follow never happens. */
export class CrashingDatabase extends Database {
  /** Decides for each transaction whether and where the process dies. */
  fate: () => 'lives' | 'dies-before-commit' | 'dies-after-commit' = () => 'lives';

  /** The next transaction awaits this before its commit. */
  holdNext: (() => Promise<void>) | undefined;

  /** The most rows that one statement of a transaction returned since this was last set to 0. */
  mostRows = 0;

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const fate = this.fate();
    const hold = this.holdNext;
    this.holdNext = undefined;
    const result = await super.transaction(async (tx) => {
      const run = tx.run.bind(tx);
      tx.run = async (statement, ...parameters) => {
        const rows = await run(statement, ...parameters);
        this.mostRows = Math.max(this.mostRows, rows.length);
        return rows;
      };
      const done = await work(tx);
      await hold?.();
      if (fate === 'dies-before-commit') throw new Crash();
      return done;
    });
    if (fate === 'dies-after-commit') throw new Crash();
    return result;
  }
}

/** Billing's use cases with a real Postgres, without the transports that call them. */
export class BillingFixture {
  readonly clock = new WorldClock();
  readonly config = { ROLES: ['worker'], ROLLUP_SECONDS: 60, CREDITS_LOW_THRESHOLD: 100 } as unknown as BillingConfig;
  /** Answers roomRpc.finishedSince. */
  finishedSince: RpcClient['call'] = (async () => ({ rooms: [] })) as unknown as RpcClient['call'];
  /** Answers all other RPC calls, such as roomRpc.connections. */
  connectionsOf: RpcClient['call'] = () => Promise.reject(new Error('no room service'));

  /** Folds a fact as its consumer does. */
  readonly fold: (fact: EventEnvelope) => Promise<void>;
  /** Folds facts as one batch of the consumer. */
  readonly foldAll: (facts: readonly EventEnvelope[]) => Promise<void>;
  readonly rollUp: RollUp;
  readonly chargeMeters: ChargeMeters;
  readonly closeCycles: CloseCycles;
  readonly meters: MetersRepository;
  readonly dueMeters: DueMetersRepository;
  readonly catchUp: CatchUp;
  readonly accounts: AccountsRepository;
  readonly ledger: LedgerRepository;
  readonly aiUsages: AiUsagesRepository;
  readonly explainEntry: ExplainEntry;
  readonly sessions: SessionsRepository;
  readonly applyPlan: ApplyPlan;
  readonly postEntries: PostEntries;
  readonly rpc: RpcClient;

  private constructor(
    readonly stack: TestStack,
    readonly dataSource: DataSource,
    readonly database: CrashingDatabase,
  ) {
    const { config, clock } = this;
    const meters = (this.meters = new MetersRepository(database));
    const dueMeters = (this.dueMeters = new DueMetersRepository());
    const outbox = new Outbox(clock, { wake: () => undefined } as OutboxRelay);
    this.rpc = {
      call: ((...call) =>
        (call[0].subject === roomRpc.finishedSince.subject ? this.finishedSince : this.connectionsOf)(...call)) as RpcClient['call'],
    } as RpcClient;
    this.ledger = new LedgerRepository(database);
    this.accounts = new AccountsRepository(database);
    const postEntries = (this.postEntries = new PostEntries(config, this.ledger, this.accounts, outbox, clock));
    const chargeMeters = (this.chargeMeters = new ChargeMeters(config, meters, clock));
    const sums = new CycleSumsRepository();
    const statements = new StatementsRepository(database);
    const writeStatement = new WriteStatement(sums, new ClassroomsRepository(database), statements, outbox, clock);
    const closeCycles = (this.closeCycles = new CloseCycles(
      database,
      this.accounts,
      dueMeters,
      chargeMeters,
      postEntries,
      sums,
      writeStatement,
      clock,
    ));
    this.applyPlan = new ApplyPlan(this.accounts, new PlansRepository(), closeCycles, statements, postEntries, clock);
    this.sessions = new SessionsRepository(database);
    this.aiUsages = new AiUsagesRepository(database);
    this.explainEntry = new ExplainEntry(this.ledger, this.sessions, new ExplainAiUsage(this.ledger, this.aiUsages));
    const warnings = new BudgetWarningsRepository();
    const foldEvents = new FoldEvents(config, database, this.sessions, meters, warnings, this.applyPlan, outbox, clock);
    this.foldAll = (facts) =>
      foldEvents.execute(facts.map(untraced), (tx, items, idOf) => acceptNew(tx, CONSUMERS.billingFold.durable, items, idOf, clock.wall()));
    this.fold = (fact) => this.foldAll([fact]);
    const budgets = new PublishReachedBudgets(warnings, outbox, clock);
    this.rollUp = new RollUp(database, this.accounts, dueMeters, chargeMeters, budgets, postEntries, closeCycles, clock);
    const finishedRooms = new FinishedRooms(config, database, new FinishedRoomsRepository(database), meters, this.rpc, clock);
    this.catchUp = new CatchUp(config, database, new CatchUpRepository(database), this.rpc, foldEvents, meters, finishedRooms, clock);
  }

  /** @param parts in addition to Postgres */
  static async start(parts: ('nats' | 'clickhouse')[] = []): Promise<BillingFixture> {
    // The tests cause hundreds of failures, which would fill the log.
    logger.level = 'silent';
    const stack = await TestStack.parts(['postgres', ...parts], { isMigrated: true });
    const url = new URL(stack.urls.postgresAdmin);
    url.username = 'classroom_billing';
    url.password = 'pw';
    const config = { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
    await runMigrations({ schema: 'billing', directories: [MESSAGING_MIGRATIONS, join(__dirname, '..', '..', 'migrations')], config });
    const dataSource = await connect({ url: url.href, schema: 'billing', entities, poolSize: 12 });
    const fixture = new BillingFixture(stack, dataSource, new CrashingDatabase(dataSource));
    await fixture.sessions.addPartitionsAhead(new Date());
    return fixture;
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.stack.stop();
  }

  /** The result of `work`, whose writes are rolled back. */
  async undone<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let result: { value: T } | undefined;
    const transaction = this.database.transaction(async (tx) => {
      result = { value: await work(tx) };
      throw new Undo();
    });
    await transaction.catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
    if (!result) throw new Error('the work did not run');
    return result.value;
  }

  /** Charges again until that succeeds, in a process whose transactions meet these fates. */
  async chargeDespiteCrashes(accountId: string, fate: CrashingDatabase['fate']): Promise<void> {
    this.database.fate = fate;
    const hasCharged = () =>
      this.rollUp.execute([accountId]).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Crash)) throw error;
          return false;
        },
      );
    while (!(await hasCharged()));
    this.database.fate = () => 'lives';
  }

  /** Creates an organization with its account. `cycleStart` makes it a weekly postpaid one. */
  async organization(cycleStart?: Date): Promise<{ organizationId: string; accountId: string }> {
    const organizationId = `org_${randomUUID()}`;
    const rate = { creditRate: 0.5, currency: 'USD' };
    const billing: Organization['billing'] = cycleStart
      ? { type: 'POSTPAID', billingFrequency: 'WEEKLY', cycleStartDate: cycleStart.toISOString(), ...rate }
      : { type: 'PREPAID', credits: 1000, ...rate };
    const { accountId } = await this.update(organizationId, billing);
    return { organizationId, accountId };
  }

  /** Applies a change of the organization at `at`. Returns its account. */
  async update(organizationId: string, billing: Organization['billing'], at = this.clock.now()): Promise<AccountEntity> {
    const branding = { logoUrl: null, primaryColor: null, accentColor: null };
    const times = { createdAt: at.toISOString(), updatedAt: at.toISOString() };
    const settings = {
      branding,
      retention: retentionOf(null),
      consent: NO_CONSENT_ASKED,
      attendance: null,
      quotas: quotasOf(null),
      joinHook: null,
    };
    const organization = { organizationId, name: `A school, ${at.toISOString()}`, billing, verifiedDomains: [], ...settings, ...times };
    await this.fold(envelopeOf(organizationUpdated, organizationId, organization));
    const account = await this.accounts.find(organizationId);
    if (!account) throw new Error('a plan made no account');
    return account;
  }

  /** Closed cycles, oldest first: `<start> to <end>: <credits>`. */
  async statements(organizationId: string): Promise<string[]> {
    const cycles = await this.closedCycles(organizationId);
    return cycles.map(({ cycleStart, cycleEnd, credits }) => `${cycleStart.toISOString()} to ${cycleEnd.toISOString()}: ${credits}`);
  }

  /** The statements of an organization, oldest first. */
  async closedCycles(organizationId: string): Promise<StatementEntity[]> {
    return (await new StatementsRepository(this.database).listByOrganization(organizationId)).reverse();
  }

  /** The facts of one type with these data that were written, in order. */
  async facts<C extends EventContract>(contract: C, of: Partial<EventData<C>>): Promise<EventData<C>[]> {
    const facts = (await writtenFacts(this.stack, contract)).map(({ data }) => data);
    return facts.filter((data) => Object.entries(of).every(([name, value]) => (data as Record<string, unknown>)[name] === value));
  }

  /** Changes an account's balance without an entry, which no use case does. */
  async changeBalance(organizationId: string, credits: number): Promise<void> {
    await this.dataSource.manager.increment(AccountEntity, { organizationId }, 'balance', credits);
  }

  /** Posts equal entries, more than the use case posts at once; `cycleStart` of a postpaid plan's open cycle. */
  async fillLedger(
    organizationId: string,
    count: number,
    entry: { kind: EntryKind; signedCredits: number; creditRate: number; cycleStart: Date | null },
  ): Promise<void> {
    const { kind, signedCredits: each, creditRate, cycleStart } = entry;
    const { debitAccount, creditAccount, credits } = sidesOf(kind, each);
    await this.dataSource.query(
      `INSERT INTO ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, cycle_start, recorded_at)
       SELECT gen_random_uuid(), $1, $2, $3, $4, $5::bigint, $6::numeric, 'USD', $7::timestamptz, now() FROM generate_series(1, $8::int)`,
      [organizationId, kind, debitAccount, creditAccount, credits, creditRate, cycleStart, count],
    );
    await this.changeBalance(organizationId, each * count);
    if (cycleStart) await this.dataSource.manager.increment(AccountEntity, { organizationId }, 'cycleCredits', each * count);
  }

  /** Folds a finished class with one participant, from `at` (ms) for `seconds`, without charging it. Returns its sid. */
  async lesson(organizationId: string, at: number, seconds: number): Promise<string> {
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const [startedAt, endedAt] = [at, at + seconds * 1000].map((ms) => new Date(ms).toISOString()) as [string, string];
    const person = { connectionSid: `PA_${sid}`, uid: 'ada', name: 'Ada', role: 'STUDENT', ip: null };
    const ends = { joinedAt: startedAt, leftAt: endedAt, openedBy: 'webhook', closedBy: 'webhook' };
    const totals = { connections: 1, totalSeconds: seconds, versionSum: 1, lastVersion: 1 };
    await this.foldAll([
      envelopeOf(participantConnection, sid, { ...room, ...person, ...ends, version: 1 }),
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt, endedAt, reason: 'deleted', ...totals }),
    ]);
    return sid;
  }

  /** Entries, oldest first: `<kind> <signed credits>`, and the plan that the entry settles. */
  async entries(organizationId: string): Promise<string[]> {
    const rows = await this.ledger.page(organizationId, {}, 100);
    return rows.toReversed().map((row) => `${row.kind} ${signedCredits(row)}${row.settles ? ` settles ${row.settles}` : ''}`);
  }

  /** A room's meter, with the credits charged so far. */
  meter(sid: string): Promise<MeterRow | undefined> {
    return meterOf(this.stack, sid);
  }

  /** Runs a full round of the audit. Returns the differences of all rooms and accounts. */
  async audit(): Promise<Finding[]> {
    for await (const _ of this.newAudit().round());
    return new AuditRepository(this.database).listDifferences();
  }

  newAudit(): LedgerAudit {
    return new LedgerAudit(new AuditRepository(this.database), this.clock);
  }
}
