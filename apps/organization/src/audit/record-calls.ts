import { Injectable } from '@nestjs/common';
import {
  auditedCall,
  CONSUMERS,
  listAudit,
  listAuditOfAll,
  OPERATORS_LOG,
  type AuditedCall,
  type AuditEntry,
  type RpcInput,
} from '@classroom/contracts';
import { ConsumesBatch, fitMessage, Handles, type Delivery } from '@classroom/messaging';
import { Database, pageCursor, type Transaction } from '@classroom/persistence';
import { Clock, failpoint, InBackground, logger, Loop } from '@classroom/platform';
import { z } from 'zod';
import type { AuditEntryEntity } from '../schema/audit-entry.entity.js';
import type { AuditHeadEntity } from '../schema/audit-head.entity.js';
import {
  AuditChangesRepository,
  AuditLogRepository,
  AuditPendingRepository,
  type AuditFilter,
  type FoundChange,
} from './audit-log.repository.js';
import { hashOf } from './verify-log.js';

/** Appends calls to the log of their organization, each once, with the changes that they made. Calls of an erased organization are dropped. */
@Injectable()
export class AppendCalls {
  constructor(
    private readonly log: AuditLogRepository,
    private readonly changes: AuditChangesRepository,
    private readonly pending: AuditPendingRepository,
  ) {}

  async append(tx: Transaction, calls: readonly AuditedCall[]): Promise<void> {
    const byId = new Map(calls.map((call) => [call.id, call]));
    const ids = [...byId.keys()];
    if (ids.length === 0) return;
    await this.pending.remove(tx, ids);
    const found = Map.groupBy(await this.changes.find(tx, ids), ({ entryId }) => entryId);
    const all = [...byId.values()].map((call) => ({ call, organizationId: logOf(call, found.get(call.id)) }));
    const erased = await this.log.findErased(tx, [...new Set(all.map(({ organizationId }) => organizationId))]);
    const given = all.filter(({ organizationId }) => !erased.has(organizationId));
    const heads = new Map<string, AuditHeadEntity>();
    const logs = [...new Set(given.map(({ organizationId }) => organizationId))];
    for (const head of await this.log.lockHeads(tx, logs)) heads.set(head.organizationId, head);
    // After the lock: another process may have appended the same call.
    const existing = await this.log.findExisting(tx, ids);
    const entries = given
      .filter(({ call }) => !existing.has(call.id))
      .map(({ call, organizationId }) => {
        const entry = chained(call, organizationId, found.get(call.id) ?? [], heads.get(organizationId));
        heads.set(organizationId, { organizationId, sequence: entry.sequence, hash: entry.hash });
        return entry;
      });
    if (entries.length === 0) return;
    await this.log.append(tx, entries, [...heads.values()]);
    await this.changes.remove(
      tx,
      entries.flatMap(({ entryId }) => found.get(entryId) ?? []),
    );
    tx.afterCommit('audit', () => logHeads(entries));
  }
}

/** A call that creates an organization does not name it; its change does. */
const logOf = ({ organizationId }: AuditedCall, changes: readonly FoundChange[] = []) =>
  organizationId ?? changes[0]?.organizationId ?? OPERATORS_LOG;

function chained(call: AuditedCall, organizationId: string, changes: FoundChange[], head: AuditHeadEntity | undefined): AuditEntryEntity {
  const { id: entryId, at, actor, operation, address, requestId, target, fields, status } = call;
  const sequence = (head?.sequence ?? 0) + 1;
  const entry = {
    entryId,
    organizationId,
    sequence,
    at: new Date(at),
    actorType: actor.type,
    actorId: actor.id,
    operation,
    address,
    requestId,
    target,
    fields,
    changes: changes.map(({ change }) => change),
    status,
  };
  return { ...entry, hash: hashOf(entry, sequence === 1 ? null : (head?.hash ?? null)) };
}

/** The newest entry of each log, for a collector of logs outside the database: proof that they existed (see `verify-audit`). */
function logHeads(entries: readonly AuditEntryEntity[]): void {
  const newest = new Map(entries.map((entry) => [entry.organizationId, entry]));
  for (const { entryId, sequence, hash } of newest.values())
    logger.info({ auditEntry: entryId, sequence, auditHash: hash.toString('hex') }, 'audit log extended');
}

const SWEEP_EVERY_MS = 10_000;
const MAX_SWEPT = 100;
/** How long to wait for the status of a call, in milliseconds. After that its gateway has ended. Longer than an answer is streamed. */
const SILENT_MS = 30 * 60_000;
/** How long a call may still have an effect after it was answered with a failure, in milliseconds. */
const UNCERTAIN_MS = 2 * 60_000;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

/** Appends the calls that the gateways store to the audit log, when their answer is known. Repeated messages have no effect. */
@Injectable()
export class RecordCalls {
  @InBackground() private readonly sweep = new Loop('audit-sweep', SWEEP_EVERY_MS, () => this.appendDue());

  constructor(
    private readonly database: Database,
    private readonly calls: AppendCalls,
    private readonly pending: AuditPendingRepository,
    private readonly clock: Clock,
  ) {}

  @ConsumesBatch<AuditedCall>(CONSUMERS.organizationAudit, {
    concurrency: 2,
    batchSize: 128,
    keyOf: ({ organizationId, id }) => organizationId ?? id,
  })
  async execute(deliveries: readonly Delivery<AuditedCall>[]): Promise<void> {
    const calls = deliveries.map(({ body }) => auditedCall.parse(body));
    await this.database.transaction(async (tx) => {
      const ended = calls.filter(({ status }) => status !== null);
      const endedIds = new Set(ended.map(({ id }) => id));
      for (const call of calls) if (!endedIds.has(call.id)) await this.pending.addBegun(tx, call, logOf(call), this.after(SILENT_MS));
      for (const call of ended.filter(isUncertain)) await this.pending.addUncertain(tx, call, logOf(call), this.after(UNCERTAIN_MS));
      const refused = ended.filter(isRefusedParticipant);
      await this.pending.remove(
        tx,
        refused.map(({ id }) => id),
      );
      await this.calls.append(
        tx,
        ended.filter((call) => !isUncertain(call) && !isRefusedParticipant(call)),
      );
      if (ended.length > 0) await failpoint('organization.audit.before-commit');
    });
    if (calls.some(({ status }) => status !== null)) await failpoint('organization.audit.after-commit');
  }

  private async appendDue(): Promise<void> {
    let taken: number;
    do taken = await this.database.transaction((tx) => this.appendSome(tx));
    while (taken === MAX_SWEPT);
  }

  private async appendSome(tx: Transaction): Promise<number> {
    const due = await this.pending.takeDue(tx, this.clock.now(), MAX_SWEPT);
    await this.calls.append(
      tx,
      due.map(({ call }) => call),
    );
    return due.length;
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}

/** Had no effect, and is not in the log, which keeps its entries: a student could fill it. */
const isRefusedParticipant = ({ actor, status }: AuditedCall) =>
  actor.type === 'participant' && status !== null && status >= BAD_REQUEST && status < SERVER_ERROR;

/** After a timeout, for example, the service may still do what it was asked. */
const isUncertain = ({ status }: AuditedCall) => status !== null && status >= SERVER_ERROR;

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
