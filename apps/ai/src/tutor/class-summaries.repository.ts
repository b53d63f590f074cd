import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { ClassSummaryEntity } from '../schema/class-summary.entity.js';
import { sql } from '../schema/sql.js';
import type { QuestionStats } from './class-questions.repository.js';

/** Until `tx` ends, no dialogue of the class is deleted. */
const keepDialogues = sql(
  'class-summaries.keepDialogues',
  `SELECT 1 FROM chats WHERE chat_key IN (
     SELECT t.chat_key FROM questions q JOIN turns t ON t.turn_id = q.question_id WHERE q.organization_id = $1 AND q.sid = $2)
    ORDER BY chat_key FOR KEY SHARE`,
);
const countQuestions = sql(
  'class-summaries.countQuestions',
  'SELECT count(*) AS "questions!" FROM questions WHERE organization_id = $1 AND sid = $2 AND asked_at <= $3',
);

/** A summary of fewer questions never replaces one of more. */
const keep = sql(
  'class-summaries.keep',
  `INSERT INTO class_summaries AS known (sid, organization_id, questions, last_asked_at, summary, made_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (sid) DO UPDATE SET questions = $3, last_asked_at = $4, summary = $5, made_at = $6 WHERE known.questions <= $3`,
);

const deleteOf = sql.planned(
  'class-summaries.deleteOf',
  'DELETE FROM class_summaries WHERE organization_id = $1 AND sid = ANY($2) RETURNING 1',
);

@Injectable()
export class ClassSummariesRepository {
  constructor(private readonly database: Database) {}

  /** The summary, if no question was asked since it was written. */
  async find(organizationId: string, sid: string, { questions, lastAskedAt }: QuestionStats): Promise<string | undefined> {
    if (!lastAskedAt) return undefined;
    const row = await this.database.manager.findOneBy(ClassSummaryEntity, { sid, organizationId, questions, lastAskedAt });
    return row?.summary;
  }

  /** @returns how many */
  async deleteOf(tx: Transaction, organizationId: string, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteOf, organizationId, sids)).length;
  }

  /** Does nothing if a dialogue of the class was deleted meanwhile: the summary tells of its questions. */
  async keep(
    tx: Transaction,
    organizationId: string,
    sid: string,
    { questions, lastAskedAt }: QuestionStats,
    summary: string,
    at: Date,
  ): Promise<void> {
    await tx.run(keepDialogues, organizationId, sid);
    const left = await tx.first(countQuestions, organizationId, sid, lastAskedAt);
    if (!left || left.questions < questions) return;
    await tx.run(keep, sid, organizationId, questions, lastAskedAt, summary, at);
  }
}
