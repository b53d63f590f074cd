import { Injectable } from '@nestjs/common';
import type { OpenQuestion } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import type { EndedTurn } from '../chats/turn-plan.js';
import type { NewTurn } from '../chats/chat.row.js';
import type { Asked } from './context/relevance.js';
import { normalize } from './normalize.js';

const ASKED_AT_MOST = 200;
const EARLIER_AT_MOST = 20;
const STUDENTS_AT_MOST = 5_000;
const OPEN_AT_MOST = 200;
/** Characters of a question where many stand together. */
const SHOWN = 2_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface ClassStudent {
  organizationId: string;
  sid: string;
  studentUid: string;
}

type OpenRow = Omit<OpenQuestion, 'askedAt'> & { askedAt: Date };

@Injectable()
export class QuestionsRepository {
  constructor(private readonly database: Database) {}

  async add(tx: Transaction, { organizationId, sid, studentUid }: ClassStudent, { turnId, question, askedAt }: NewTurn): Promise<void> {
    await tx.query(
      `INSERT INTO questions (question_id, organization_id, sid, student_uid, question, normalized, answer, asked_at)
       VALUES ($1, $2, $3, $4, $5, $6, '', $7)`,
      [turnId, organizationId, sid, studentUid, question, normalize(question), askedAt],
    );
  }

  /** A hang-up is the student's own will; only what the tutor failed at waits for a teacher. */
  async answered(tx: Transaction, { turnId, outcome, answer, isUnknown, isBrokenOff }: EndedTurn): Promise<void> {
    const reason = isBrokenOff ? 'failed' : outcome === 'finished' && isUnknown ? 'unknown' : null;
    await tx.query('UPDATE questions SET answer = $2, open_reason = coalesce(open_reason, $3) WHERE question_id = $1', [turnId, answer, reason]);
  }

  async keepEmbedding(tx: Transaction, questionId: string, vector: number[]): Promise<void> {
    await tx.query('UPDATE questions SET embedding = $2 WHERE question_id = $1', [questionId, vector]);
  }

  /** What others asked and were told in this class, newest first. */
  askedByOthers({ organizationId, sid, studentUid }: ClassStudent): Promise<Asked[]> {
    return this.database.prepared<Asked & Record<string, unknown>>(
      'asked-by-others',
      `SELECT left(q.question, ${SHOWN}) AS question, left(q.answer, ${SHOWN}) AS answer FROM questions q JOIN turns t ON t.turn_id = q.question_id
        WHERE q.organization_id = $1 AND q.sid = $2 AND q.student_uid <> $3 AND t.state = 'finished' AND q.open_reason IS DISTINCT FROM 'unknown'
        ORDER BY q.asked_at DESC LIMIT ${ASKED_AT_MOST}`,
      [organizationId, sid, studentUid],
    );
  }

  /** What the student asked in other classes, newest first. */
  async askedEarlier({ organizationId, sid, studentUid }: ClassStudent): Promise<string[]> {
    const rows = await this.database.prepared<{ question: string }>(
      'asked-earlier',
      `SELECT left(t.question, ${SHOWN}) AS question
         FROM (SELECT chat_key FROM chats WHERE organization_id = $1 AND student_uid = $3 AND kind = 'tutor' AND sid <> $2
                ORDER BY updated_at DESC LIMIT ${EARLIER_AT_MOST}) AS earlier
         JOIN turns t USING (chat_key) ORDER BY t.asked_at DESC LIMIT ${EARLIER_AT_MOST}`,
      [organizationId, sid, studentUid],
    );
    return rows.map(({ question }) => question);
  }

  /** Uids of those who asked. */
  async studentsOf(organizationId: string, sid: string): Promise<string[]> {
    const rows = await this.database.prepared<{ uid: string }>(
      'students-who-asked',
      `SELECT DISTINCT student_uid AS uid FROM questions WHERE organization_id = $1 AND sid = $2 LIMIT ${STUDENTS_AT_MOST}`,
      [organizationId, sid],
    );
    return rows.map(({ uid }) => uid);
  }

  /** Those that wait for a teacher, the same of many as one, oldest first. */
  async open(organizationId: string, sid: string): Promise<OpenQuestion[]> {
    const rows = await this.database.query<OpenRow & Record<string, unknown>>(
      `SELECT (array_agg(question_id ORDER BY asked_at))[1] AS "questionId", (array_agg(student_uid ORDER BY asked_at))[1] AS "studentUid",
              left((array_agg(question ORDER BY asked_at))[1], ${SHOWN}) AS question, min(asked_at) AS "askedAt",
              CASE WHEN bool_or(open_reason = 'asked') THEN 'asked' ELSE (array_agg(open_reason ORDER BY asked_at))[1] END AS reason,
              count(*)::int AS frequency
         FROM questions WHERE organization_id = $1 AND sid = $2 AND open_reason IS NOT NULL AND resolved_at IS NULL
        GROUP BY normalized ORDER BY min(asked_at) LIMIT ${OPEN_AT_MOST}`,
      [organizationId, sid],
    );
    return rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() }));
  }

  /** The student's own question, for the teacher; also one that was thought to be answered. False where there is none. */
  async handOn({ organizationId, sid, studentUid }: ClassStudent, questionId: string): Promise<boolean> {
    if (!UUID.test(questionId)) return false;
    const rows = await this.database.query(
      `UPDATE questions SET open_reason = 'asked', resolved_at = NULL, resolved_by = NULL
        WHERE question_id = $4 AND organization_id = $1 AND sid = $2 AND student_uid = $3 RETURNING 1`,
      [organizationId, sid, studentUid, questionId],
    );
    return rows.length === 1;
  }

  /** With all that ask the same. False where the class has no such question. */
  async resolve(organizationId: string, sid: string, questionId: string, by: string, at: Date): Promise<boolean> {
    if (!UUID.test(questionId)) return false;
    const rows = await this.database.query(
      `WITH meant AS (SELECT normalized FROM questions WHERE question_id = $3 AND organization_id = $1 AND sid = $2),
            closed AS (UPDATE questions q SET resolved_at = $5, resolved_by = $4 FROM meant
                        WHERE q.sid = $2 AND q.organization_id = $1 AND q.normalized = meant.normalized
                          AND q.open_reason IS NOT NULL AND q.resolved_at IS NULL)
       SELECT 1 FROM meant`,
      [organizationId, sid, questionId, by, at],
    );
    return rows.length === 1;
  }
}
