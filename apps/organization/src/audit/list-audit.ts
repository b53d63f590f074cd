import { Injectable } from '@nestjs/common';
import { listAudit, listAuditOfAll, OPERATORS_LOG, type AuditEntry, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { z } from 'zod';
import type { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import { AuditLogRepository, type AuditFilter } from './audit-log.repository.js';

type Query = Pick<RpcInput<typeof listAudit>, 'from' | 'to' | 'operation' | 'actor' | 'cursor' | 'limit'>;

const cursors = pageCursor(z.string());

@Injectable()
export class ListAudit {
  constructor(private readonly log: AuditLogRepository) {}

  /** @throws AppError VALIDATION_FAILED if the cursor is invalid */
  @Handles(listAudit)
  async listOfOrganization({ organizationId, ...query }: RpcInput<typeof listAudit>) {
    return this.page(query, organizationId, (row) => {
      const entry = toEntry(row);
      return entry.actor.type === 'operator' ? { ...entry, address: null } : entry;
    });
  }

  /** @throws AppError VALIDATION_FAILED if the cursor is invalid */
  @Handles(listAuditOfAll)
  async listOfAll({ organizationId, ofOperators, ...query }: RpcInput<typeof listAuditOfAll>) {
    return this.page(query, ofOperators === 'true' ? OPERATORS_LOG : (organizationId ?? null), (row) => ({
      ...toEntry(row),
      organizationId: row.organizationId === OPERATORS_LOG ? null : row.organizationId,
    }));
  }

  /** Newest first; fewer than `limit` if one message cannot hold them. */
  private async page<E>(
    { from, to, operation, actor, cursor, limit }: Query,
    organizationId: string | null,
    show: (row: AuditEntryEntity) => E,
  ) {
    const filter: AuditFilter = { organizationId, from: dateOf(from), to: dateOf(to), operation: operation ?? null, actor: actor ?? null };
    const rows = await this.log.page(filter, cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
    const entries = fitMessage(rows.slice(0, limit).map(show));
    const last = rows.length > entries.length ? rows[entries.length - 1] : undefined;
    return {
      entries,
      pagination: {
        nextCursor: last ? cursors.encode({ createdAt: last.at, id: last.entryId }) : null,
        hasMore: last !== undefined,
      },
    };
  }
}

const dateOf = (instant: string | undefined) => (instant === undefined ? null : new Date(instant));

const toEntry = (row: AuditEntryEntity): AuditEntry => ({
  id: row.entryId,
  sequence: row.sequence,
  at: row.at.toISOString(),
  actor: { type: row.actorType, id: row.actorId },
  operation: row.operation,
  target: row.target,
  fields: row.fields,
  changes: row.changes,
  status: row.status,
  address: row.address,
  requestId: row.requestId,
  hash: row.hash.toString('hex'),
});
