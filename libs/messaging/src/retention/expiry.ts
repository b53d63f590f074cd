import type { RetainedClass } from '@classroom/contracts';
import { isStatementTimeout, type Database, type Transaction } from '@classroom/persistence/sql';
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
