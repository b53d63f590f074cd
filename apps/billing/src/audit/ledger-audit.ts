import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, InBackground, logger, Loop, observedGauges } from '@classroom/platform';
import { AuditRepository, type Finding } from './audit.repository.js';

const EVERY_MS = 1_000;
/** A turn ends after this long, so that a stop of the process waits for one statement, not for a round. */
const TURN_MS = 500;
const ROUND_EVERY_MS = 60_000;
/** A process that is killed holds up the audit for this long. */
const HOLD_MS = 60_000;
const ACCOUNTS = 200;
const ROOMS = 200;
/** Bounds one statement, whatever the ledger holds. */
const ENTRIES = 5_000;
/** Transactions take seconds: a room that was settled this long ago is visible, and so are all that were settled before it. */
const SETTLED_FOR_MS = 120_000;

const GAUGES = {
  classroom_billing_imbalance_credits: 'Credits by which sessions, charges, ledger and balances differ; always 0',
  classroom_ledger_audit_age_seconds: 'Time since the last round of the audit in which every account and room could be read',
};

/**
 * Proves, round after round, that sessions = charges = ledger = balance. A round reads of each ledger the entries that are newer than
 * its checkpoint, and checks each room that was settled or corrected since. One process of a database does it.
 */
@Injectable()
export class LedgerAudit {
  @InBackground() private readonly loop = new Loop('ledger-audit', EVERY_MS, () => this.turn());
  private readonly holder = randomUUID();
  private present: AsyncGenerator | undefined;
  private endedAt = -Infinity;
  private failures = 0;
  /** What `ledger_differences` holds: all else needs no statement to forget it. */
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

  /** One full round, a step a statement or two. An account or room that cannot be read is logged, and the round is not counted as complete. */
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

  /** False where the round has ended, by an error too: what was proved is kept, and a new round begins at its time. */
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

  /** The next entries of one ledger and the rooms that they charged. True where the account's balance is compared with all of them. */
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

  /** One account or room that cannot be audited does not stop the round; true then, too, so that the round leaves it for the next. */
  private async attempt({ what, id }: Omit<Finding, 'credits'>, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      this.failures += 1;
      logger.error({ err: error, what, id }, 'this account or room could not be audited');
      await this.repository.remember({ what, id }, this.clock.wall());
      return true;
    }
  }
}

const nameOf = ({ what, id }: Omit<Finding, 'credits'>) => `${what} ${id}`;
