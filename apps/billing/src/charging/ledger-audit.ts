import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, InBackground, logger, Loop, observedGauges, observedGauge } from '@classroom/platform';
import { AuditRepository, type Finding } from './audit.repository.js';

const INTERVAL_MS = 1_000;
/** Milliseconds. A turn ends after this time, so that a stopping process waits for one step, not for a round. */
const TURN_MS = 500;
const ROUND_INTERVAL_MS = 60_000;
/** Milliseconds for which a killed process blocks the audit. */
const LEASE_MS = 60_000;
const ACCOUNTS_PER_PAGE = 200;
const ROOMS_PER_PAGE = 200;
/** Maximum number of entries that one statement reads, however long the ledger is. */
const ENTRIES_PER_BATCH = 5_000;
/** Milliseconds. Transactions take seconds, so all rooms that were settled longer ago than this are visible. */
const SETTLED_DELAY_MS = 120_000;

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
  @InBackground() private readonly loop = new Loop('ledger-audit', INTERVAL_MS, () => this.runTurn());
  private readonly holder = randomUUID();
  private currentRound: AsyncGenerator | undefined;
  private roundEndedAt = -Infinity;
  private failures = 0;
  /** The names of the rows in `ledger_differences`. Consistent accounts and rooms that are not in it need no DELETE. */
  private knownDifferences = new Set<string>();

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
    const differences = await this.repository.listDifferences();
    this.knownDifferences = new Set(differences.map(nameOf));
    for (const { what, id } of differences) {
      if (what === 'room') yield this.attempt({ what, id }, () => this.auditRoom(id));
    }
    yield* this.auditAccounts();
    yield* this.auditSettledRooms();
    if (this.failures === 0) await this.repository.markCompleted(this.clock.wall());
  }

  async imbalance(): Promise<number> {
    const differences = await this.repository.listDifferences();
    return differences.reduce((sum, { credits }) => sum + Math.abs(credits), 0);
  }

  async ageSeconds(): Promise<number> {
    const completedAt = await this.repository.findCompletedAt();
    return Math.max((this.clock.wall().getTime() - completedAt.getTime()) / 1000, 0);
  }

  private async runTurn(): Promise<void> {
    const now = this.clock.wall().getTime();
    if (!this.currentRound && now - this.roundEndedAt < ROUND_INTERVAL_MS) return;
    if (!(await this.repository.acquireLease(this.holder, new Date(now), new Date(now + LEASE_MS)))) {
      this.currentRound = undefined;
      return;
    }
    this.currentRound ??= this.round();
    for (const until = performance.now() + TURN_MS; performance.now() < until;) {
      if (!(await this.advance(this.currentRound))) return;
    }
  }

  /** False when the round has ended, also by an error. Progress is stored, and the next round begins at its usual time. */
  private async advance(round: AsyncGenerator): Promise<boolean> {
    let isDone: boolean | undefined = true;
    try {
      isDone = (await round.next()).done;
    } finally {
      if (isDone) {
        this.currentRound = undefined;
        this.roundEndedAt = this.clock.wall().getTime();
      }
    }
    return !isDone;
  }

  private async *auditAccounts(): AsyncGenerator {
    for (let after = ''; ;) {
      const page = await this.repository.listAccounts(after, ACCOUNTS_PER_PAGE);
      for (const { organizationId, accountId } of page) {
        let isRead: boolean | undefined = false;
        while (!isRead) {
          isRead = await this.attempt({ what: 'account', id: accountId }, () => this.auditAccount(organizationId, accountId));
          yield;
        }
      }
      after = page.at(-1)?.organizationId ?? '';
      if (page.length < ACCOUNTS_PER_PAGE) return;
    }
  }

  private async *auditSettledRooms(): AsyncGenerator {
    const before = new Date(this.clock.now().getTime() - SETTLED_DELAY_MS);
    for (;;) {
      const page = await this.repository.listSettledSince(before, ROOMS_PER_PAGE);
      for (const { sid } of page) yield this.attempt({ what: 'room', id: sid }, () => this.auditRoom(sid));
      const last = page.at(-1);
      if (last) await this.repository.recordAuditedRoom(last);
      if (page.length < ROOMS_PER_PAGE) return;
    }
  }

  /** Audits the next entries of one ledger and the rooms that they charged. True once the balance was compared with all entries. */
  private async auditAccount(organizationId: string, accountId: string): Promise<boolean> {
    const batch = await this.repository.readBatch(organizationId, ENTRIES_PER_BATCH);
    if (!batch) return true;
    const charged = batch.sids.length > 0 ? await this.repository.filterSettled(batch.sids) : [];
    for (const sid of charged) await this.attempt({ what: 'room', id: sid }, () => this.auditRoom(sid));
    if (batch.entries > 0) await this.repository.saveCheckpoint(organizationId, batch);
    if (batch.entries === ENTRIES_PER_BATCH) return false;
    await this.record({ what: 'account', id: accountId, credits: batch.difference });
    return true;
  }

  private async auditRoom(sid: string): Promise<true> {
    await this.record({ what: 'room', id: sid, credits: await this.repository.roomDifference(sid) });
    return true;
  }

  private async record(finding: Finding): Promise<void> {
    if (finding.credits === 0) {
      if (this.knownDifferences.delete(nameOf(finding))) await this.repository.deleteDifference(finding);
      return;
    }
    logger.error(finding, 'the ledger does not add up');
    this.knownDifferences.add(nameOf(finding));
    await this.repository.saveDifference(finding, this.clock.wall());
  }

  /** Catches errors, so that one unreadable account or room does not stop the round. Returns true then, which leaves it to the next round. */
  private async attempt({ what, id }: Omit<Finding, 'credits'>, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      this.failures += 1;
      logger.error({ err: error, what, id }, 'account or room could not be audited');
      await this.repository.saveUnreadable({ what, id }, this.clock.wall());
      return true;
    }
  }
}

const nameOf = ({ what, id }: Omit<Finding, 'credits'>) => `${what} ${id}`;

/** Measures rooms that are finished but not settled, because billing's sessions do not match the room's final totals yet. */
@Injectable()
export class SessionDrift {
  constructor(
    private readonly repository: AuditRepository,
    private readonly clock: Clock,
  ) {
    observedGauge(
      'classroom_billing_session_drift_seconds',
      'How long the class has been over whose sessions have differed longest from what its room says',
      async () => [{ value: await this.seconds() }],
    );
  }

  async seconds(): Promise<number> {
    const since = await this.repository.findUnsettledSince();
    return since ? Math.max((this.clock.now().getTime() - since.getTime()) / 1000, 0) : 0;
  }
}
