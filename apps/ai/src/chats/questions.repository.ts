import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In, IsNull } from 'typeorm';
import { QuestionEntity } from '../schema/question.entity.js';
import { sql } from '../schema/sql.js';
import { normalize } from './normalize.js';
import type { EndedTurn, NewTurn } from './turn.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const recordAnswer = sql(
  'questions.recordAnswer',
  'UPDATE questions SET answer = $2, open_reason = coalesce(open_reason, $3) WHERE question_id = $1',
);

const resolve = sql(
  'questions.resolve',
  `WITH meant AS (SELECT normalized FROM questions WHERE question_id = $3 AND organization_id = $1 AND sid = $2),
        closed AS (UPDATE questions q SET resolved_at = $5, resolved_by = $4,
                          teacher_answer = coalesce($6, q.teacher_answer), teacher_name = CASE WHEN $6::text IS NULL THEN q.teacher_name ELSE $7 END
                     FROM meant
                    WHERE q.sid = $2 AND q.organization_id = $1 AND q.normalized = meant.normalized
                      AND q.open_reason IS NOT NULL AND (q.resolved_at IS NULL OR ($6::text IS NOT NULL AND q.teacher_answer IS NULL)))
   SELECT 1 FROM meant`,
);

const forgetResolver = sql.planned(
  'questions.forgetResolver',
  `UPDATE questions SET resolved_by = 'erased', teacher_answer = NULL, teacher_name = NULL WHERE organization_id = $1 AND resolved_by = $2 RETURNING 1`,
);

interface Resolution {
  organizationId: string;
  sid: string;
  questionId: string;
  /** Uid and name of the teacher. */
  by: string;
  name: string;
  /** In writing. */
  answer: string | undefined;
  at: Date;
}

export type ClassStudent = Pick<QuestionEntity, 'organizationId' | 'sid' | 'studentUid'>;

/** The only code that writes a class's questions. */
@Injectable()
export class QuestionsRepository {
  constructor(private readonly database: Database) {}

  async add(tx: Transaction, { organizationId, sid, studentUid }: ClassStudent, { turnId, question, askedAt }: NewTurn): Promise<void> {
    const normalized = normalize(question);
    await tx.manager.insert(QuestionEntity, {
      questionId: turnId,
      organizationId,
      sid,
      studentUid,
      question,
      normalized,
      answer: '',
      askedAt,
    });
  }

  /** Leaves to the teacher only questions that the tutor failed to answer, not those whose student hung up. */
  async recordAnswer(tx: Transaction, { turnId, outcome, answer, isUnknown, isInterrupted }: EndedTurn): Promise<void> {
    const reason = isInterrupted ? 'failed' : outcome === 'finished' && isUnknown ? 'unknown' : null;
    await tx.run(recordAnswer, turnId, answer, reason);
  }

  async saveEmbedding(tx: Transaction, questionId: string, embedding: number[]): Promise<void> {
    await tx.manager.update(QuestionEntity, { questionId }, { embedding });
  }

  /** Ignores turns without a question row, such as an agent's. */
  async markFailed(tx: Transaction, turns: readonly { turnId: string }[]): Promise<void> {
    await tx.manager.update(
      QuestionEntity,
      { questionId: In(turns.map(({ turnId }) => turnId)), openReason: IsNull() },
      { openReason: 'failed' },
    );
  }

  /** Hands a student's own question to the teacher, even one that the tutor has answered. False if the student has no such question. */
  async escalateToTeacher({ organizationId, sid, studentUid }: ClassStudent, questionId: string): Promise<boolean> {
    if (!UUID.test(questionId)) return false;
    const open = { openReason: 'asked', resolvedAt: null, resolvedBy: null } as const;
    const { affected } = await this.database.manager.update(QuestionEntity, { questionId, organizationId, sid, studentUid }, open);
    return affected === 1;
  }

  /** Removes a teacher, and what they answered, from the questions that they resolved. @returns how many */
  async forgetResolver(tx: Transaction, organizationId: string, uid: string): Promise<number> {
    return (await tx.run(forgetResolver, organizationId, uid)).length;
  }

  /**
   * Resolves the question and all equal ones of the class. An answer in writing is also stored with questions that another teacher has just
   * resolved without one. False if the class has no such question.
   */
  async resolve({ organizationId, sid, questionId, by, name, answer, at }: Resolution): Promise<boolean> {
    if (!UUID.test(questionId)) return false;
    return (await this.database.run(resolve, organizationId, sid, questionId, by, at, answer ?? null, name)).length === 1;
  }
}
