import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In, IsNull } from 'typeorm';
import { QuestionEntity } from '../schema/question.entity.js';
import { sql } from '../schema/sql.js';
import type { EndedTurn, NewTurn } from './turn-plan.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const recordAnswer = sql(
  'questions.recordAnswer',
  'UPDATE questions SET answer = $2, open_reason = coalesce(open_reason, $3) WHERE question_id = $1',
);

const resolve = sql(
  'questions.resolve',
  `WITH meant AS (SELECT normalized FROM questions WHERE question_id = :questionId AND organization_id = :organizationId AND sid = :sid),
        closed AS (UPDATE questions q SET resolved_at = :at, resolved_by = :by, teacher_answer = coalesce(:answer, q.teacher_answer),
                          teacher_name = CASE WHEN :answer::text IS NULL THEN q.teacher_name ELSE :name END
                     FROM meant
                    WHERE q.sid = :sid AND q.organization_id = :organizationId AND q.normalized = meant.normalized
                      AND q.open_reason IS NOT NULL AND (q.resolved_at IS NULL OR (:answer::text IS NOT NULL AND q.teacher_answer IS NULL)))
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
  async resolve(resolution: Resolution): Promise<boolean> {
    if (!UUID.test(resolution.questionId)) return false;
    return (await this.database.run(resolve, { ...resolution, answer: resolution.answer ?? null })).length === 1;
  }
}

/**
 * The key that groups equal questions: letters, digits and mathematical operators, in lower case. A question that contains none of them is
 * only trimmed.
 */
export function normalize(question: string): string {
  const words = question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}+\-*/=<>%^]+/gu, ' ')
    .trim();
  return words === '' ? question.trim() : words;
}
