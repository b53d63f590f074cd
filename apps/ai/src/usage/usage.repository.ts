import { Injectable } from '@nestjs/common';
import { usageRecorded } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';
import { UsageEntity } from '../schema/usage.entity.js';
import type { UsageEntry } from './usage-entry.js';

/** The only definition of usage sums, so that all reports agree. */
const USAGE_TOTALS = `count(*) FILTER (WHERE task = 'chat') AS "interactions!", count(DISTINCT chat_key) AS "chats!",
  coalesce(sum(input_tokens), 0) AS "inputTokens!", coalesce(sum(output_tokens), 0) AS "outputTokens!", coalesce(sum(cost), 0) AS "cost!"`;

const ofOrganization = sql.planned(
  'usage.ofOrganization',
  `SELECT kind AS "kind?", ${USAGE_TOTALS} FROM usage
    WHERE organization_id = $1 AND ($2::timestamptz IS NULL OR recorded_at >= $2) AND ($3::timestamptz IS NULL OR recorded_at < $3)
    GROUP BY GROUPING SETS ((kind), ())`,
);

const ofRoom = sql('usage.ofRoom', `SELECT ${USAGE_TOTALS} FROM usage WHERE organization_id = $1 AND sid = $2`);

/** Uids are ASCII. The collation keeps their order independent of the database's locale. */
const ofStudents = sql(
  'usage.ofStudents',
  `SELECT student_uid AS "studentUid!", ${USAGE_TOTALS} FROM usage
    WHERE organization_id = $1 AND sid = $2 AND student_uid COLLATE "C" > $3
    GROUP BY student_uid ORDER BY student_uid COLLATE "C" LIMIT $4`,
);

/** Sums as the database returns them; `cost` is an exact decimal. */
export type UsageTotals = RowOf<typeof ofRoom>;

const NO_USAGE: UsageTotals = { interactions: 0, chats: 0, inputTokens: 0, outputTokens: 0, cost: '0' };

/** Until `tx` ends, these dialogues are not deleted. */
const keepChats = sql(
  'usage.keepChats',
  'SELECT chat_key AS "chatKey" FROM chats WHERE chat_key = ANY($1) ORDER BY chat_key FOR KEY SHARE',
);

const forgetStudents = sql.planned(
  'usage.forgetStudents',
  'UPDATE usage SET student_uid = NULL WHERE organization_id = $1 AND sid = ANY($2) AND chat_key = ANY($3) AND student_uid IS NOT NULL RETURNING 1',
);

@Injectable()
export class UsageRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Stores and publishes entries that are not stored yet. An entry of a dialogue that was deleted meanwhile has no student. */
  async add(tx: Transaction, entries: readonly UsageEntry[]): Promise<void> {
    const chatKeys = entries.flatMap(({ cause }) => (cause.studentUid === null || cause.chatKey === null ? [] : [cause.chatKey]));
    const kept = new Set((chatKeys.length === 0 ? [] : await tx.run(keepChats, chatKeys)).map(({ chatKey }) => chatKey));
    for (const entry of entries) await this.insert(tx, entry, entry.cause.chatKey !== null && kept.has(entry.cause.chatKey));
  }

  /** Usage of the agent, of the tutors, and of both together. */
  async ofOrganization(organizationId: string, { from, before }: Range): Promise<Record<'agent' | 'tutor' | 'all', UsageTotals>> {
    const rows = await this.database.run(ofOrganization, organizationId, from, before);
    const of = (kind: 'agent' | 'tutor' | null) => rows.find((row) => row.kind === kind) ?? NO_USAGE;
    return { agent: of('agent'), tutor: of('tutor'), all: of(null) };
  }

  async ofRoom(organizationId: string, sid: string): Promise<UsageTotals> {
    const row = await this.database.first(ofRoom, organizationId, sid);
    return row ?? NO_USAGE;
  }

  /** Usage by student, in the order of their uids, after `after`. */
  ofStudents(organizationId: string, sid: string, after: string, limit: number): Promise<RowOf<typeof ofStudents>[]> {
    return this.database.run(ofStudents, organizationId, sid, after, limit);
  }

  /** Removes the students from the usage of these dialogues. @returns how many rows */
  async forgetStudents(tx: Transaction, organizationId: string, sids: readonly string[], chatKeys: readonly string[]): Promise<number> {
    return (await tx.run(forgetStudents, organizationId, sids, chatKeys)).length;
  }

  private async insert(tx: Transaction, entry: UsageEntry, isOfStudent: boolean): Promise<void> {
    const { usageId, cause, used, by } = entry;
    const row = {
      usageId,
      organizationId: cause.organizationId,
      kind: cause.kind,
      task: entry.task,
      chatKey: cause.chatKey,
      turnId: cause.turnId,
      sid: cause.sid,
      studentUid: isOfStudent ? cause.studentUid : null,
      provider: by.provider,
      model: by.model,
      outcome: entry.outcome,
      inputTokens: used.inputTokens,
      outputTokens: used.outputTokens,
      isEstimated: used.isEstimated,
      audioSeconds: used.audioSeconds.toFixed(3),
      characters: used.characters,
      cost: entry.cost.toFixed(9),
      credits: entry.credits.toFixed(9),
      latencyMs: entry.latencyMs,
      firstTokenMs: entry.firstTokenMs,
      recordedAt: entry.at,
    };
    const insert = tx.manager.createQueryBuilder().insert().into(UsageEntity).values(row).orIgnore().returning('usage_id');
    const { raw } = (await insert.execute()) as { raw: unknown[] };
    if (raw.length === 0) return;
    if (!entry.credits.greaterThan(0)) return;
    const data = {
      organizationId: cause.organizationId,
      usageId,
      sid: cause.sid,
      kind: cause.kind,
      inputTokens: used.inputTokens,
      outputTokens: used.outputTokens,
      credits: entry.credits.toFixed(9),
      at: entry.at.toISOString(),
    };
    await this.outbox.add(tx, fact(usageRecorded, cause.sid ?? usageId, data));
  }
}

const DAY_MS = 86_400_000;

/** `from` is inclusive and `before` exclusive; null means no limit. */
interface Range {
  from: Date | null;
  before: Date | null;
}

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Both dates are inclusive: a day with all its hours in UTC, an instant with its millisecond. */
export function toRange({ startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined }): Range {
  const end = endDate === undefined ? undefined : new Date(endDate).getTime() + (isDay(endDate) ? DAY_MS : 1);
  return { from: startDate === undefined ? null : new Date(startDate), before: end === undefined ? null : new Date(end) };
}
