import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { usageRecorded, type TokenUsage } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import type { UsageEntry } from './usage-entry.js';
import type { Range } from './usage-range.js';

/** Sums as they come from the database: `cost` is an exact decimal. */
export interface Spent extends TokenUsage {
  interactions: number;
  chats: number;
  cost: string;
}

type Sums = Record<'interactions' | 'chats' | 'inputTokens' | 'outputTokens' | 'cost', string>;

/** The one way to add up usage, so that whatever shows it shows the same. */
const SPENT = `count(*) FILTER (WHERE task = 'chat') AS interactions, count(DISTINCT chat_key) AS chats,
  coalesce(sum(input_tokens), 0) AS "inputTokens", coalesce(sum(output_tokens), 0) AS "outputTokens", coalesce(sum(cost), 0) AS cost`;

@Injectable()
export class UsageRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  async add(tx: Transaction, entries: readonly UsageEntry[]): Promise<void> {
    for (const entry of entries) await this.insert(tx, entry);
  }

  /** By who used it, and both together. */
  async ofOrganization(organizationId: string, { from, before }: Range): Promise<Record<'agent' | 'tutor' | 'all', Spent>> {
    const rows = await this.database.query<Sums & { kind: 'agent' | 'tutor' | null }>(
      `SELECT kind, ${SPENT} FROM usage
        WHERE organization_id = $1 AND ($2::timestamptz IS NULL OR recorded_at >= $2) AND ($3::timestamptz IS NULL OR recorded_at < $3)
        GROUP BY GROUPING SETS ((kind), ())`,
      [organizationId, from, before],
    );
    const of = (kind: 'agent' | 'tutor' | null) => toSpent(rows.find((row) => row.kind === kind));
    return { agent: of('agent'), tutor: of('tutor'), all: of(null) };
  }

  async ofRoom(organizationId: string, sid: string): Promise<Spent> {
    const [row] = await this.database.query<Sums>(`SELECT ${SPENT} FROM usage WHERE organization_id = $1 AND sid = $2`, [organizationId, sid]);
    return toSpent(row);
  }

  /** By uid, those after `after`. */
  async ofStudents(organizationId: string, sid: string, after: string, limit: number): Promise<(Spent & { studentUid: string })[]> {
    const rows = await this.database.query<Sums & { studentUid: string }>(
      // Uids are letters of ASCII: their order must not depend on the database's language.
      `SELECT student_uid AS "studentUid", ${SPENT} FROM usage
        WHERE organization_id = $1 AND sid = $2 AND student_uid COLLATE "C" > $3
        GROUP BY student_uid ORDER BY student_uid COLLATE "C" LIMIT $4`,
      [organizationId, sid, after, limit],
    );
    return rows.map((row) => ({ studentUid: row.studentUid, ...toSpent(row) }));
  }

  private async insert(tx: Transaction, entry: UsageEntry): Promise<void> {
    const usageId = randomUUID();
    const { cause, used, by } = entry;
    await tx.query(
      `INSERT INTO usage (usage_id, organization_id, kind, task, chat_key, turn_id, sid, student_uid, provider, model, outcome, input_tokens,
                          output_tokens, is_estimated, audio_seconds, characters, cost, credits, latency_ms, first_token_ms, recorded_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
      [
        usageId,
        cause.organizationId,
        cause.kind,
        entry.task,
        cause.chatKey,
        cause.turnId,
        cause.sid,
        cause.studentUid,
        by.provider,
        by.model,
        entry.outcome,
        used.inputTokens,
        used.outputTokens,
        used.isEstimated,
        used.audioSeconds.toFixed(3),
        used.characters,
        entry.cost.toFixed(9),
        entry.credits.toFixed(9),
        entry.latencyMs,
        entry.firstTokenMs,
        entry.at,
      ],
    );
    if (!entry.credits.greaterThan(0)) return;
    const told = {
      organizationId: cause.organizationId,
      usageId,
      sid: cause.sid,
      kind: cause.kind,
      inputTokens: used.inputTokens,
      outputTokens: used.outputTokens,
      credits: entry.credits.toFixed(9),
      at: entry.at.toISOString(),
    };
    await this.outbox.add(tx, fact(usageRecorded, cause.sid ?? usageId, told));
  }
}

const toSpent = (row: Sums | undefined): Spent => ({
  interactions: Number(row?.interactions ?? 0),
  chats: Number(row?.chats ?? 0),
  inputTokens: Number(row?.inputTokens ?? 0),
  outputTokens: Number(row?.outputTokens ?? 0),
  cost: row?.cost ?? '0',
});
