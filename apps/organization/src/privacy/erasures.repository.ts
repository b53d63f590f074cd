import { Injectable } from '@nestjs/common';
import { AppError, type ErasureCounts, type ErasureReceipt, type ErasureSubject } from '@classroom/contracts';
import { columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { In } from 'typeorm';
import { randomId } from '../schema/random-id.js';
import { ErasureEntity, type HistoryProgress } from '../schema/erasure.entity.js';
import { sql } from '../schema/sql.js';

const claimDue = sql.planned(
  'erasures.claimDue',
  `UPDATE erasures SET due_at = $2, begun_at = coalesce(begun_at, $1)
    WHERE erasure_id IN (SELECT erasure_id FROM erasures WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING ${columnsOf(ErasureEntity)}`,
);

const startDue = sql(
  'erasures.startDue',
  'UPDATE erasures SET due_at = $2 WHERE begins_at <= $1 AND due_at IS NULL AND completed_at IS NULL',
);

const cancel = sql(
  'erasures.cancel',
  'DELETE FROM erasures WHERE erasure_id = $1 AND begins_at > $2 AND due_at IS NULL AND completed_at IS NULL RETURNING erasure_id AS "erasureId"',
);

const saveResult = sql(
  'erasures.saveResult',
  'UPDATE erasures SET results = results || jsonb_build_object($2::text, $3::jsonb) WHERE erasure_id = $1 AND completed_at IS NULL',
);

const saveFactsThrough = sql(
  'erasures.saveFactsThrough',
  'UPDATE erasures SET facts_through = $2, due_at = $3 WHERE erasure_id = $1 AND completed_at IS NULL',
);

const lockOpen = sql(
  'erasures.lockOpen',
  'SELECT results, history_progress AS "historyProgress" FROM erasures WHERE erasure_id = $1 AND completed_at IS NULL FOR UPDATE',
);

const lockHistory = sql('erasures.lockHistory', `SELECT pg_advisory_xact_lock(hashtextextended('erase-history ' || $1, 0))`);

const saveHistoryProgress = sql('erasures.saveHistoryProgress', 'UPDATE erasures SET history_progress = $2 WHERE erasure_id = $1');

const complete = sql(
  'erasures.complete',
  'UPDATE erasures SET subject = NULL, due_at = NULL, completed_at = $2, receipt = $3 WHERE erasure_id = $1',
);

const saveClosedThrough = sql(
  'erasures.saveClosedThrough',
  'UPDATE erasures SET closed_through = $2, due_at = $3 WHERE erasure_id = $1 AND completed_at IS NULL',
);

type NewErasure = Pick<ErasureEntity, 'organizationId' | 'requestedAt' | 'dueAt'> &
  Partial<Pick<ErasureEntity, 'beginsAt'>> & { subject: ErasureSubject };

export const newErasure = (values: NewErasure): ErasureEntity => ({
  beginsAt: null,
  ...values,
  erasureId: randomId('era'),
  isOfOrganization: 'organization' in values.subject,
  results: {},
  closedThrough: null,
  factsThrough: null,
  historyProgress: null,
  begunAt: null,
  completedAt: null,
  receipt: null,
});

@Injectable()
export class ErasuresRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, row: ErasureEntity): Promise<void> {
    await tx.manager.insert(ErasureEntity, row);
  }

  /** Also after its completion. */
  findOfOrganization(organizationId: string, { manager }: Database | Transaction = this.database): Promise<ErasureEntity | null> {
    return manager.findOneBy(ErasureEntity, { organizationId, isOfOrganization: true });
  }

  /** @throws AppError ERASURE_NOT_FOUND, also if it belongs to another organization */
  async find(organizationId: string, erasureId: string): Promise<ErasureEntity> {
    const row = await this.database.manager.findOneBy(ErasureEntity, { organizationId, erasureId });
    if (!row) throw new AppError('ERASURE_NOT_FOUND');
    return row;
  }

  exists(tx: Transaction, erasureId: string): Promise<boolean> {
    return tx.manager.existsBy(ErasureEntity, { erasureId });
  }

  /** @returns those of the ids that no row has */
  async unknownOf(erasureIds: string[]): Promise<string[]> {
    const rows = await this.database.manager.find(ErasureEntity, { select: { erasureId: true }, where: { erasureId: In(erasureIds) } });
    const known = new Set(rows.map(({ erasureId }) => erasureId));
    return erasureIds.filter((erasureId) => !known.has(erasureId));
  }

  /** Requests that begin at `now` or before become due at `dueAt`. */
  async startDue(now: Date, dueAt: Date): Promise<void> {
    await this.database.run(startDue, now, dueAt);
  }

  /** Deletes a request that has not begun. @returns false if it has */
  async cancel(tx: Transaction, erasureId: string, now: Date): Promise<boolean> {
    return (await tx.run(cancel, erasureId, now)).length > 0;
  }

  /** Claims the requests that are due, each for one process: they are due again at `next`. */
  claimDue(now: Date, next: Date, limit: number): Promise<ErasureEntity[]> {
    return this.database.run(claimDue, now, next, limit);
  }

  async saveResult(erasureId: string, service: string, counts: ErasureCounts): Promise<void> {
    await this.database.run(saveResult, erasureId, service, JSON.stringify(counts));
  }

  /** @param dueAt when the services are asked to erase */
  async saveClosedThrough(erasureId: string, sequence: number, dueAt: Date): Promise<void> {
    await this.database.run(saveClosedThrough, erasureId, sequence, dueAt);
  }

  /** @param dueAt when to look whether the facts are read */
  async saveFactsThrough(erasureId: string, sequence: number, dueAt: Date): Promise<void> {
    await this.database.run(saveFactsThrough, erasureId, sequence, dueAt);
  }

  /** Locks a request that is not completed. @returns the results of the services, and how far the own history is; undefined if it is completed */
  lockOpen(tx: Transaction, erasureId: string): Promise<RowOf<typeof lockOpen> | undefined> {
    return tx.first(lockOpen, erasureId);
  }

  /** Until `tx` ends, no other erasure changes the organization's history. */
  async lockHistory(tx: Transaction, organizationId: string): Promise<void> {
    await tx.run(lockHistory, organizationId);
  }

  async saveHistoryProgress(tx: Transaction, erasureId: string, progress: HistoryProgress): Promise<void> {
    await tx.run(saveHistoryProgress, erasureId, JSON.stringify(progress));
  }

  async complete(tx: Transaction, erasureId: string, completedAt: Date, receipt: ErasureReceipt): Promise<void> {
    await tx.run(complete, erasureId, completedAt, JSON.stringify(receipt));
  }
}
