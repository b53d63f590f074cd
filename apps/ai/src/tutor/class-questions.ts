import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import type { QuestionGroup } from './group-questions.js';

/** More groups are not compared with one another by meaning: they are counted by their words. */
const GROUPS = 300;
const SHOWN_QUESTION = 2_000;
const SHOWN_ANSWER = 8_000;

export interface Asking {
  questions: number;
  students: number;
  lastAskedAt: Date | null;
}

/** A whole class's questions, for who looks at the class. */
@Injectable()
export class ClassQuestions {
  constructor(private readonly database: Database) {}

  async asking(organizationId: string, sid: string): Promise<Asking> {
    const [row] = await this.database.query<Asking & Record<string, unknown>>(
      `SELECT count(*)::int AS questions, count(DISTINCT student_uid)::int AS students, max(asked_at) AS "lastAskedAt"
         FROM questions WHERE organization_id = $1 AND sid = $2`,
      [organizationId, sid],
    );
    return row ?? { questions: 0, students: 0, lastAskedAt: null };
  }

  async groups(organizationId: string, sid: string): Promise<QuestionGroup[]> {
    return this.database.query<QuestionGroup & Record<string, unknown>>(
      `WITH asked AS (SELECT q.*, t.state FROM questions q JOIN turns t ON t.turn_id = q.question_id WHERE q.organization_id = $1 AND q.sid = $2),
            grouped AS (SELECT normalized, count(*)::int AS frequency, max(asked_at) AS "lastAskedAt" FROM asked
                         GROUP BY normalized ORDER BY count(*) DESC, max(asked_at) DESC LIMIT ${GROUPS})
       SELECT g.frequency, g."lastAskedAt",
              (SELECT left(question, ${SHOWN_QUESTION}) FROM asked a WHERE a.normalized = g.normalized ORDER BY asked_at LIMIT 1) AS question,
              coalesce((SELECT left(answer, ${SHOWN_ANSWER}) FROM asked a WHERE a.normalized = g.normalized AND state = 'finished'
                         ORDER BY asked_at DESC LIMIT 1), '') AS answer,
              (SELECT embedding FROM asked a WHERE a.normalized = g.normalized AND embedding IS NOT NULL ORDER BY asked_at DESC LIMIT 1) AS embedding
         FROM grouped g`,
      [organizationId, sid],
    );
  }

  /** The summary that was made when as much had been asked as now. */
  async summary(organizationId: string, sid: string, asking: Asking): Promise<string | undefined> {
    const [row] = await this.database.query<{ summary: string }>(
      'SELECT summary FROM class_summaries WHERE sid = $1 AND organization_id = $2 AND questions = $3 AND last_asked_at = $4',
      [sid, organizationId, asking.questions, asking.lastAskedAt],
    );
    return row?.summary;
  }

  async keepSummary(tx: Transaction, organizationId: string, sid: string, asking: Asking, summary: string, at: Date): Promise<void> {
    await tx.query(
      `INSERT INTO class_summaries AS known (sid, organization_id, questions, last_asked_at, summary, made_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (sid) DO UPDATE SET questions = $3, last_asked_at = $4, summary = $5, made_at = $6 WHERE known.questions <= $3`,
      [sid, organizationId, asking.questions, asking.lastAskedAt, summary, at],
    );
  }
}
