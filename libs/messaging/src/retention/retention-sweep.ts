import { Inject, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { organizationRpc, retentionOf, type RetainedClass } from '@classroom/contracts';
import { isStatementTimeout, isUnreachable, type Database, type Transaction } from '@classroom/persistence/sql';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { RpcClient } from '../rpc/client.js';
import { addProgress, advanceProgress, claimProgress, findProgress } from './retention-progress.repository.js';

const DAY_MS = 86_400_000;
/** Holders of one transaction. Fewer, if their rows are too many for the time limit of a statement. */
const BATCH = 100;

/** How one data class is kept by this service. */
export interface RetentionRule {
  readonly dataClass: RetainedClass;
  /**
   * Applies the time of an organization, in the unit of the class. Safe to repeat, and to run in several processes.
   * @param isSet whether the organization has set it; otherwise it is the default
   * @returns how many rows it erased
   */
  apply(organizationId: string, kept: number, now: Date, isSet: boolean): Promise<number>;
}

/** What holds data and becomes old as a whole, such as a class. */
export interface Holder {
  key: string;
  /** When its time began. */
  since: Date;
}

/** Erases data of one class whose time, in days, is over. Progress is stored, so that each run looks only at what became old after the last one. */
export abstract class Expiry implements RetentionRule {
  abstract readonly dataClass: RetainedClass;

  constructor(protected readonly database: Database) {}

  /** Holders of the organization after the position (`since`, `key`) and up to `before`, in that order. */
  protected abstract find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]>;

  /** Erases the class's data of these holders. @returns how many rows it erased or changed */
  protected abstract erase(tx: Transaction, organizationId: string, keys: string[]): Promise<number>;

  async apply(organizationId: string, kept: number, now: Date): Promise<number> {
    const before = new Date(now.getTime() - kept * DAY_MS);
    const progress = await findProgress(this.database, organizationId, this.dataClass);
    let erased = 0;
    // Inclusive: several holders may have the same time.
    let after: Holder = { key: '', since: progress ?? new Date(0) };
    let isKnown = progress !== null;
    for (let size = BATCH; ;) {
      const holders = await this.find(organizationId, after, before, size);
      const last = holders.at(-1);
      if (!last) return erased;
      if (!isKnown) await addProgress(this.database, organizationId, this.dataClass, after.since);
      isKnown = true;
      try {
        const count = await this.eraseBatch(organizationId, holders, last.since);
        if (count === undefined) return erased;
        erased += count;
      } catch (error) {
        if (!isStatementTimeout(error) || holders.length === 1) throw error;
        size = Math.ceil(holders.length / 4);
        continue;
      }
      after = last;
    }
  }

  /** @returns undefined if another process works on the class */
  private eraseBatch(organizationId: string, holders: Holder[], through: Date): Promise<number | undefined> {
    return this.database.transaction(async (tx) => {
      if (!(await claimProgress(tx, organizationId, this.dataClass))) return undefined;
      const keys = holders.map(({ key }) => key);
      const erased = await this.erase(tx, organizationId, keys);
      await advanceProgress(tx, organizationId, this.dataClass, through);
      return erased;
    });
  }
}

/** How often it looks whether a sweep is due. */
const INTERVAL_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
/** A sweep in which something failed is repeated after it. */
const RETRY_MS = 60_000;
const PAGE = 100;
const RULES = Symbol('retention rules');

/** At the start and once an hour, erases the personal data of this service that organizations no longer keep. */
@Injectable()
export class RetentionSweep {
  @InBackground() private readonly loop = new Loop('retention', INTERVAL_MS, () => this.runIfDue());
  private dueAt = 0;

  constructor(
    @Inject(RULES) private readonly rules: RetentionRule[],
    @Inject(RpcClient) private readonly rpc: RpcClient,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** By the clock of domain deadlines: after a jump of it, a sweep is due. */
  private async runIfDue(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now < this.dueAt) return;
    const failed = await this.run();
    this.dueAt = now + (failed === 0 ? SWEEP_EVERY_MS : RETRY_MS);
    // The loop counts as overdue until a sweep succeeds.
    if (failed > 0) throw new Error(`the retention of ${failed} data classes of organizations could not be applied`);
  }

  /**
   * @returns how many times a rule failed for an organization. The others are swept nevertheless.
   * @throws AppError SERVICE_UNAVAILABLE if the organization service or Postgres is unreachable: the next run begins again
   */
  async run(): Promise<number> {
    let failed = 0;
    for (let after = ''; ;) {
      const { organizations } = await this.rpc.call(organizationRpc.retentions, { after, limit: PAGE });
      for (const { organizationId, retention, set } of organizations) {
        const kept = retentionOf(retention);
        for (const rule of this.rules) {
          if (!(await this.apply(rule, organizationId, kept[rule.dataClass], set.includes(rule.dataClass)))) failed += 1;
        }
      }
      const last = organizations.at(-1);
      if (organizations.length < PAGE || !last) return failed;
      after = last.organizationId;
    }
  }

  private async apply(rule: RetentionRule, organizationId: string, kept: number, isSet: boolean): Promise<boolean> {
    const { dataClass } = rule;
    try {
      const rows = await rule.apply(organizationId, kept, this.clock.now(), isSet);
      if (rows > 0) logger.info({ organizationId, dataClass, rows }, 'data erased at the end of its retention');
      return true;
    } catch (error) {
      // It would fail for every other organization too.
      if (isUnreachable(error)) throw error;
      logger.error({ err: error, organizationId, dataClass }, 'data could not be erased at the end of its retention; will retry');
      return false;
    }
  }
}

@Module({})
export class RetentionSweepModule {
  /** @param rules of this service, with what they inject from `imports` */
  static forRoot({ rules, imports = [] }: { rules: Type<RetentionRule>[]; imports?: DynamicModule['imports'] }): DynamicModule {
    return {
      module: RetentionSweepModule,
      imports,
      providers: [...rules, { provide: RULES, useFactory: (...all: RetentionRule[]) => all, inject: rules }, RetentionSweep],
    };
  }
}
