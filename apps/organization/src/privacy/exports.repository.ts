import { Injectable } from '@nestjs/common';
import { AppError, type ErasureSubject, type ExportedCount, type ExportSubject } from '@classroom/contracts';
import { columnsOf, Database, jsonOf, type Transaction } from '@classroom/persistence';
import { ExportEntity } from '../schema/export.entity.js';
import { sql } from '../schema/sql.js';

/** Unfinished exports of an organization at most. */
const SLOTS = 5;

/** Takes the first free slot. Of two requests for the same one, the unique index decides. */
const add = sql(
  'exports.add',
  `INSERT INTO exports (export_id, organization_id, subject, slot, requested_at, waiting_for, due_at)
   SELECT $1, $2, $3, s.slot, $4, $5, $6 FROM generate_series(1, ${SLOTS}) AS s(slot)
    WHERE NOT EXISTS (SELECT FROM exports e WHERE e.organization_id = $2 AND e.slot = s.slot) ORDER BY s.slot LIMIT 1
   ON CONFLICT DO NOTHING RETURNING ${columnsOf(ExportEntity)}`,
);

const claimDue = sql.planned(
  'exports.claimDue',
  `UPDATE exports SET attempt = attempt + 1, due_at = $2
    WHERE export_id IN (SELECT export_id FROM exports WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING ${columnsOf(ExportEntity)}`,
);

const OF_ATTEMPT = 'WHERE export_id = :exportId AND attempt = :attempt AND due_at IS NOT NULL RETURNING 1';

const renew = sql('exports.renew', `UPDATE exports SET due_at = :until, waiting_for = :waitingFor ${OF_ATTEMPT}`);

const complete = sql(
  'exports.complete',
  `UPDATE exports SET slot = NULL, due_at = NULL, waiting_for = '{}', completed_at = :completedAt, delete_at = :deleteAt,
          bytes = :bytes, sha256 = :sha256, stores = :stores
    ${OF_ATTEMPT}`,
);

const expire = sql(
  'exports.expire',
  `UPDATE exports SET slot = NULL, due_at = NULL, delete_at = $3
    WHERE organization_id = $1 AND subject IS NOT NULL AND (subject = $2::jsonb OR $2::jsonb -> 'organization' IS NOT NULL) RETURNING 1`,
);

const findDeletable = sql.planned(
  'exports.findDeletable',
  'SELECT export_id AS "exportId", organization_id AS "organizationId" FROM exports WHERE delete_at <= $1 ORDER BY delete_at LIMIT $2',
);

const markDeleted = sql(
  'exports.markDeleted',
  `UPDATE exports SET subject = NULL, deleted_at = coalesce(deleted_at, $2), delete_at = CASE WHEN deleted_at IS NULL THEN $3::timestamptz END
    WHERE export_id = $1 AND delete_at <= $2`,
);

const removeOf = sql('exports.removeOf', 'DELETE FROM exports WHERE organization_id = ANY($1)');

/** One attempt to make the file. */
export type ExportAttempt = Pick<ExportEntity, 'exportId' | 'organizationId' | 'attempt' | 'requestedAt'> & { subject: ExportSubject };

export interface ExportedFile {
  bytes: number;
  sha256: string;
  stores: ExportedCount[];
}

@Injectable()
export class ExportsRepository {
  constructor(private readonly database: Database) {}

  /** @throws AppError TOO_MANY_EXPORTS */
  async add(
    row: Pick<ExportEntity, 'exportId' | 'organizationId' | 'requestedAt' | 'waitingFor' | 'dueAt'> & { subject: ExportSubject },
  ): Promise<ExportEntity> {
    const { exportId, organizationId, subject, requestedAt, waitingFor, dueAt } = row;
    for (let attempt = 0; attempt <= SLOTS; attempt++) {
      const added = await this.database.first(add, exportId, organizationId, JSON.stringify(subject), requestedAt, waitingFor, dueAt);
      if (added) return added;
    }
    throw new AppError('TOO_MANY_EXPORTS');
  }

  /** @throws AppError EXPORT_NOT_FOUND, also if it belongs to another organization */
  async find(organizationId: string, exportId: string): Promise<ExportEntity> {
    const row = await this.database.manager.findOneBy(ExportEntity, { organizationId, exportId });
    if (!row) throw new AppError('EXPORT_NOT_FOUND');
    return row;
  }

  /** Begins an attempt for each request that is due. Another process replaces it if it is not renewed until `until`. */
  async claimDue(now: Date, until: Date, limit: number): Promise<ExportAttempt[]> {
    const rows = await this.database.run(claimDue, now, until, limit);
    return rows.flatMap(({ subject, ...row }) => (subject ? [{ ...row, subject }] : []));
  }

  /** @param until when another process may begin the next attempt @returns false if the attempt no longer counts */
  async renew({ exportId, attempt }: ExportAttempt, until: Date, waitingFor: readonly string[]): Promise<boolean> {
    return (await this.database.run(renew, { exportId, attempt, until, waitingFor })).length === 1;
  }

  /** @returns false if the attempt no longer counts: its file must not be offered */
  async complete({ exportId, attempt }: ExportAttempt, completedAt: Date, deleteAt: Date, file: ExportedFile): Promise<boolean> {
    const values = { ...file, ...jsonOf(file, 'stores'), exportId, attempt, completedAt, deleteAt };
    return (await this.database.run(complete, values)).length === 1;
  }

  /** Ends the exports of a subject that is erased, finished or not; of the organization, all. @returns how many */
  async expire(tx: Transaction, organizationId: string, subject: ErasureSubject, now: Date): Promise<number> {
    return (await tx.run(expire, organizationId, JSON.stringify(subject), now)).length;
  }

  /** Removes the rows, whose files must be deleted. */
  async removeOf(tx: Transaction, organizationIds: string[]): Promise<void> {
    await tx.run(removeOf, organizationIds);
  }

  findDeletable(now: Date, limit: number): Promise<Pick<ExportEntity, 'exportId' | 'organizationId'>[]> {
    return this.database.run(findDeletable, now, limit);
  }

  /** @param again when what a stalled worker uploads later is deleted */
  async markDeleted(exportId: string, now: Date, again: Date): Promise<void> {
    await this.database.run(markDeleted, exportId, now, again);
  }
}
