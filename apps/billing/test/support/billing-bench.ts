import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { organizationUpdated, type EventEnvelope, type Organization } from '@classroom/contracts';
import { MESSAGING_MIGRATIONS, Outbox, type OutboxRelay, type RpcClient } from '@classroom/messaging';
import { Database, runMigrations, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import { envelopeOf } from '../../../../libs/testing/src/facts.js';
import { AccountsRepository } from '../../src/accounts/accounts.repository.js';
import { ApplyPlan } from '../../src/accounts/apply-plan.js';
import { LedgerAudit } from '../../src/audit/ledger-audit.js';
import type { BillingConfig } from '../../src/config.js';
import { CloseCycles } from '../../src/cycles/close-cycles.js';
import { LedgerRepository } from '../../src/ledger/ledger.repository.js';
import { PostEntries } from '../../src/ledger/post-entries.js';
import { CatchUp } from '../../src/metering/catch-up.js';
import { ChargeMeters } from '../../src/metering/charge-meters.js';
import { FoldEvents } from '../../src/metering/fold-events.js';
import { MetersRepository } from '../../src/metering/meters.repository.js';
import { RollUp } from '../../src/metering/roll-up.js';
import { SessionsRepository } from '../../src/metering/sessions.repository.js';

export class WorldClock extends Clock {
  at = Date.now();

  override now(): Date {
    return new Date(this.at);
  }
}

export class Crash extends Error {}

/** A database whose process can die before or after a commit: what was to follow never happens. */
export class MortalDatabase extends Database {
  /** For each transaction to come: whether and where it dies. */
  fate: () => 'lives' | 'dies-before-commit' | 'dies-after-commit' = () => 'lives';

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const fate = this.fate();
    const result = await super.transaction(async (tx) => {
      const done = await work(tx);
      if (fate === 'dies-before-commit') throw new Crash();
      return done;
    });
    if (fate === 'dies-after-commit') throw new Crash();
    return result;
  }
}

/** Billing's use cases over a real Postgres, without the transports that call them. */
export class BillingBench {
  readonly clock = new WorldClock();
  readonly config = { ROLES: ['worker'], ROLLUP_SECONDS: 60, CATCH_UP_SECONDS: 60, CREDITS_LOW_THRESHOLD: 100 } as unknown as BillingConfig;
  /** Who answers roomRpc.connections. */
  connectionsOf: RpcClient['call'] = () => Promise.reject(new Error('no room service'));

  private constructor(
    readonly stack: TestStack,
    private readonly dataSource: DataSource,
    readonly database: MortalDatabase,
  ) {}

  readonly meters = new MetersRepository();
  readonly sessions = new SessionsRepository(this.database);
  readonly accounts = new AccountsRepository(this.database);
  private readonly outbox = new Outbox(this.clock, { wake: () => undefined } as OutboxRelay);
  readonly ledger = new LedgerRepository(this.database);
  readonly postEntries = new PostEntries(this.config, this.ledger, this.outbox, this.clock);
  readonly applyPlan = new ApplyPlan(this.accounts, this.postEntries, this.clock);
  readonly fold = new FoldEvents(this.config, this.database, this.sessions, this.meters, this.applyPlan, this.clock);
  private readonly chargeMeters = new ChargeMeters(this.config, this.meters, this.postEntries, this.clock);
  private readonly closeCycles = new CloseCycles(this.accounts, this.meters, this.chargeMeters, this.outbox, this.clock);
  readonly rollUp = new RollUp(this.database, this.accounts, this.meters, this.chargeMeters, this.closeCycles, this.clock);
  private readonly rpc = { call: ((...call) => this.connectionsOf(...call)) as RpcClient['call'] } as RpcClient;
  readonly catchUp = new CatchUp(this.config, this.database, this.rpc, this.fold, this.meters, this.clock);

  static async start(): Promise<BillingBench> {
    const stack = await TestStack.parts(['postgres']);
    const url = new URL(stack.urls.postgresAdmin);
    url.username = 'classroom_billing';
    url.password = 'pw';
    const config = { DATABASE_URL: url.href, DATABASE_ADMIN_URL: stack.urls.postgresAdmin };
    await runMigrations({ schema: 'billing', directories: [MESSAGING_MIGRATIONS, join(__dirname, '..', '..', 'migrations')], config });
    const extra = { max: 12 };
    const dataSource = await new DataSource({ type: 'postgres', url: url.href, schema: 'billing', installExtensions: false, extra }).initialize();
    return new BillingBench(stack, dataSource, new MortalDatabase(dataSource));
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.stack.stop();
  }

  /** A new organization's account. `cycleStart` makes it a weekly postpaid one. */
  async organization(cycleStart?: Date): Promise<{ organizationId: string; accountId: string }> {
    const organizationId = `org_${randomUUID()}`;
    const rate = { creditRate: 0.5, currency: 'USD' };
    const billing: Organization['billing'] = cycleStart
      ? { type: 'POSTPAID', billingFrequency: 'WEEKLY', cycleStartDate: cycleStart.toISOString(), ...rate }
      : { type: 'PREPAID', credits: 1000, ...rate };
    const at = this.clock.now().toISOString();
    const branding = { logoUrl: null, primaryColor: null, accentColor: null };
    const organization = { organizationId, name: 'A school', billing, verifiedDomains: [], branding, createdAt: at, updatedAt: at };
    await this.fold.execute(envelopeOf(organizationUpdated, organizationId, organization));
    const account = await this.accounts.find(organizationId);
    if (!account) throw new Error('a plan made no account');
    return { organizationId, accountId: account.accountId };
  }

  async foldAll(envelopes: readonly EventEnvelope[]): Promise<void> {
    for (const envelope of envelopes) await this.fold.execute(envelope);
  }

  /** What the audit finds, of all rooms and accounts. */
  audit(): ReturnType<LedgerAudit['run']> {
    return new LedgerAudit(this.config, this.database).run();
  }
}
