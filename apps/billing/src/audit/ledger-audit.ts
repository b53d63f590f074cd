import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, InBackground, logger, Loop, observedGauges } from '@classroom/platform';
import { AuditRepository, type Finding } from './audit.repository.js';

const EVERY_MS = 1_000;
/** Milliseconds. A turn ends after this time, so that a stopping process waits for one step, not for a round. */
const TURN_MS = 500;
const ROUND_EVERY_MS = 60_000;
/** Milliseconds for which a killed process blocks the audit. */
const HOLD_MS = 60_000;
const ACCOUNTS = 200;
const ROOMS = 200;
/** Maximum number of entries that one statement reads, however long the ledger is. */
const ENTRIES = 5_000;
/** Milliseconds. Transactions take seconds, so all rooms that were settled longer ago than this are visible. */
const SETTLED_FOR_MS = 120_000;

const GAUGES = {
  classroom_billing_imbalance_credits: 'Credits by which sessions, charges, ledger and balances differ; always 0',
  classroom_ledger_audit_age_seconds: 'Time since the last round of the audit in which every account and room could be read',
};

/**
 * Checks continuously that sessions, charges, ledger and balances agree. A round reads the entries of each ledger after its checkpoint, and
 * checks each room that was settled or corrected since the last round. One process per database does it.
 */
@Injectable()
export class LedgerAudit {
  @InBackground() private readonly loop = new Loop('ledger-audit', EVERY_MS, () => this.turn());
  private readonly holder = randomUUID();
  private present: AsyncGenerator | undefined;
  private endedAt = -Infinity;
  private failures = 0;
  /** The names of the rows in `ledger_differences`. Consistent accounts and rooms that are not in it need no DELETE. */
  private known = new Set<string>();

  constructor(
    private readonly repository: AuditRepository,
    private readonly clock: Clock,
  ) {
    observedGauges(GAUGES, async () => [
      { name: 'classroom_billing_imbalance_credits', value: await this.imbalance() },
      { name: 'classroom_ledger_audit_age_seconds', value: await this.ageSeconds() },
    ]);
  }

  /**
   * One full round. Each step audits one room, or one batch of entries with the rooms that they charged. An account or room that can't be
   * read is logged, and the round then does not count as complete.
   */
  async *round(): AsyncGenerator {
    this.failures = 0;
    const differences = await this.repository.differences();
    this.known = new Set(differences.map(nameOf));
    for (const { what, id } of differences) {
      if (what === 'room') yield this.attempt({ what, id }, () => this.room(id));
    }
    yield* this.accounts();
    yield* this.settledRooms();
    if (this.failures === 0) await this.repository.completed(this.clock.wall());
  }

  async imbalance(): Promise<number> {
    const differences = await this.repository.differences();
    return differences.reduce((sum, { credits }) => sum + Math.abs(credits), 0);
  }

  async ageSeconds(): Promise<number> {
    const completedAt = await this.repository.completedAt();
    return Math.max((this.clock.wall().getTime() - completedAt.getTime()) / 1000, 0);
  }

  private async turn(): Promise<void> {
    const now = this.clock.wall().getTime();
    if (!this.present && now - this.endedAt < ROUND_EVERY_MS) return;
    if (!(await this.repository.hold(this.holder, new Date(now), new Date(now + HOLD_MS)))) {
      this.present = undefined;
      return;
    }
    this.present ??= this.round();
    for (const until = performance.now() + TURN_MS; performance.now() < until;) {
      if (!(await this.next(this.present))) return;
    }
  }

  /** False when the round has ended, also by an error. Progress is stored, and the next round begins at its usual time. */
  private async next(round: AsyncGenerator): Promise<boolean> {
    let isDone: boolean | undefined = true;
    try {
      isDone = (await round.next()).done;
    } finally {
      if (isDone) {
        this.present = undefined;
        this.endedAt = this.clock.wall().getTime();
      }
    }
    return !isDone;
  }

  private async *accounts(): AsyncGenerator {
    for (let after = ''; ;) {
      const page = await this.repository.accounts(after, ACCOUNTS);
      for (const { organizationId, accountId } of page) {
        let isRead: boolean | undefined = false;
        while (!isRead) {
          isRead = await this.attempt({ what: 'account', id: accountId }, () => this.account(organizationId, accountId));
          yield;
        }
      }
      after = page.at(-1)?.organizationId ?? '';
      if (page.length < ACCOUNTS) return;
    }
  }

  private async *settledRooms(): AsyncGenerator {
    const before = new Date(this.clock.now().getTime() - SETTLED_FOR_MS);
    for (;;) {
      const page = await this.repository.settledSince(before, ROOMS);
      for (const { sid } of page) yield this.attempt({ what: 'room', id: sid }, () => this.room(sid));
      const last = page.at(-1);
      if (last) await this.repository.provedSettled(last);
      if (page.length < ROOMS) return;
    }
  }

  /** Audits the next entries of one ledger and the rooms that they charged. True once the balance was compared with all entries. */
  private async account(organizationId: string, accountId: string): Promise<boolean> {
    const batch = await this.repository.batch(organizationId, ENTRIES);
    if (!batch) return true;
    const charged = batch.sids.length > 0 ? await this.repository.settled(batch.sids) : [];
    for (const sid of charged) await this.attempt({ what: 'room', id: sid }, () => this.room(sid));
    if (batch.entries > 0) await this.repository.saveCheckpoint(organizationId, batch);
    if (batch.entries === ENTRIES) return false;
    await this.record({ what: 'account', id: accountId, credits: batch.difference });
    return true;
  }

  private async room(sid: string): Promise<true> {
    await this.record({ what: 'room', id: sid, credits: await this.repository.roomDifference(sid) });
    return true;
  }

  private async record(finding: Finding): Promise<void> {
    if (finding.credits === 0) {
      if (this.known.delete(nameOf(finding))) await this.repository.forget(finding);
      return;
    }
    logger.error(finding, 'the ledger does not add up');
    this.known.add(nameOf(finding));
    await this.repository.record(finding, this.clock.wall());
  }

  /** Catches errors, so that one unreadable account or room does not stop the round. Returns true then, which leaves it to the next round. */
  private async attempt({ what, id }: Omit<Finding, 'credits'>, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      this.failures += 1;
      logger.error({ err: error, what, id }, 'account or room could not be audited');
      await this.repository.remember({ what, id }, this.clock.wall());
      return true;
    }
  }
}

const nameOf = ({ what, id }: Omit<Finding, 'credits'>) => `${what} ${id}`;
