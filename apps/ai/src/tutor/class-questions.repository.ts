import { Injectable } from '@nestjs/common';
import { openQuestion, type OpenQuestion } from '@classroom/contracts';
import { Database, type RowOf } from '@classroom/persistence';
import type { ClassStudent } from '../chats/questions.repository.js';
import { sql } from '../schema/sql.js';

const MAX_ASKED = 200;
const MAX_EARLIER = 20;
const MAX_STUDENTS = 5_000;
const MAX_OPEN = 200;
/** Characters per question or answer in queries that return many. */
const MAX_TEXT_CHARACTERS = 2_000;
/** Groups that are compared by meaning: the most frequent ones. The rest is left out. */
const MAX_GROUPS = 300;
const MAX_ANSWER_CHARACTERS = 8_000;

const askedByOthers = sql(
  'class-questions.askedByOthers',
  `SELECT left(q.question, ${MAX_TEXT_CHARACTERS}) AS "question!", left(q.answer, ${MAX_TEXT_CHARACTERS}) AS "answer!" FROM questions q JOIN turns t ON t.turn_id = q.question_id
    WHERE q.organization_id = $1 AND q.sid = $2 AND q.student_uid <> $3 AND t.state = 'finished' AND q.open_reason IS DISTINCT FROM 'unknown'
    ORDER BY q.asked_at DESC LIMIT ${MAX_ASKED}`,
);

const askedEarlier = sql(
  'class-questions.askedEarlier',
  `SELECT left(t.question, ${MAX_TEXT_CHARACTERS}) AS "question!"
     FROM (SELECT chat_key FROM chats WHERE organization_id = $1 AND student_uid = $3 AND kind = 'tutor' AND sid <> $2
            ORDER BY updated_at DESC LIMIT ${MAX_EARLIER}) AS earlier
     JOIN turns t USING (chat_key) ORDER BY t.asked_at DESC LIMIT ${MAX_EARLIER}`,
);

const studentsOf = sql(
  'class-questions.studentsOf',
  `SELECT DISTINCT student_uid AS uid FROM questions WHERE organization_id = $1 AND sid = $2 LIMIT ${MAX_STUDENTS}`,
);

const open = sql(
  'class-questions.open',
  `SELECT (array_agg(question_id ORDER BY asked_at))[1] AS "questionId!", (array_agg(student_uid ORDER BY asked_at))[1] AS "studentUid!",
          left((array_agg(question ORDER BY asked_at))[1], ${MAX_TEXT_CHARACTERS}) AS "question!", min(asked_at) AS "askedAt!",
          CASE WHEN bool_or(open_reason = 'asked') THEN 'asked' ELSE (array_agg(open_reason ORDER BY asked_at))[1] END AS "reason!",
          count(*) AS "frequency!"
     FROM questions WHERE organization_id = $1 AND sid = $2 AND open_reason IS NOT NULL AND resolved_at IS NULL
    GROUP BY normalized ORDER BY min(asked_at) LIMIT ${MAX_OPEN}`,
);

const stats = sql(
  'class-questions.stats',
  `SELECT count(*) AS "questions!", count(DISTINCT student_uid) AS "students!", max(asked_at) AS "lastAskedAt"
     FROM questions WHERE organization_id = $1 AND sid = $2`,
);

const countBy = sql(
  'class-questions.countBy',
  `SELECT student_uid AS uid, count(*) AS "questions!" FROM questions
    WHERE organization_id = $1 AND sid = $2 AND student_uid = ANY($3) GROUP BY student_uid`,
);

const groups = sql.planned(
  'class-questions.groups',
  `WITH asked AS (SELECT q.*, t.state FROM questions q JOIN turns t ON t.turn_id = q.question_id WHERE q.organization_id = $1 AND q.sid = $2),
        grouped AS (SELECT normalized, count(*) AS frequency, max(asked_at) AS last_asked_at FROM asked
                     GROUP BY normalized ORDER BY count(*) DESC, max(asked_at) DESC LIMIT ${MAX_GROUPS})
   SELECT g.frequency AS "frequency!", g.last_asked_at AS "lastAskedAt!",
          (SELECT left(question, ${MAX_TEXT_CHARACTERS}) FROM asked a WHERE a.normalized = g.normalized ORDER BY asked_at LIMIT 1) AS "question!",
          coalesce((SELECT left(answer, ${MAX_ANSWER_CHARACTERS}) FROM asked a WHERE a.normalized = g.normalized AND state = 'finished'
                     ORDER BY asked_at DESC LIMIT 1), '') AS "answer!",
          (SELECT embedding FROM asked a WHERE a.normalized = g.normalized AND embedding IS NOT NULL ORDER BY asked_at DESC LIMIT 1) AS embedding
     FROM grouped g`,
);

/** How many questions a class asked, by how many students, and when last. */
export type QuestionStats = RowOf<typeof stats>;

/** Reads the questions of a class. */
@Injectable()
export class ClassQuestionsRepository {
  constructor(private readonly database: Database) {}

  /** Questions of other students in this class with their answers, newest first. */
  askedByOthers({ organizationId, sid, studentUid }: ClassStudent): Promise<RowOf<typeof askedByOthers>[]> {
    return this.database.run(askedByOthers, organizationId, sid, studentUid);
  }

  /** Questions of the student in other classes, newest first. */
  async askedEarlier({ organizationId, sid, studentUid }: ClassStudent): Promise<string[]> {
    const rows = await this.database.run(askedEarlier, organizationId, sid, studentUid);
    return rows.map(({ question }) => question);
  }

  /** Uids of the students who asked a question. */
  async studentsOf(organizationId: string, sid: string): Promise<string[]> {
    const rows = await this.database.run(studentsOf, organizationId, sid);
    return rows.map(({ uid }) => uid);
  }

  /** Questions that wait for a teacher, equal ones as one, oldest first. */
  async open(organizationId: string, sid: string): Promise<OpenQuestion[]> {
    const rows = await this.database.run(open, organizationId, sid);
    return rows.map(({ reason, askedAt, ...row }) => ({
      ...row,
      reason: openQuestion.shape.reason.parse(reason),
      askedAt: askedAt.toISOString(),
    }));
  }

  async stats(organizationId: string, sid: string): Promise<QuestionStats> {
    const row = await this.database.first(stats, organizationId, sid);
    return row ?? { questions: 0, students: 0, lastAskedAt: null };
  }

  /** How many questions each of these students asked; who asked none is omitted. */
  countBy(organizationId: string, sid: string, uids: readonly string[]): Promise<RowOf<typeof countBy>[]> {
    return this.database.run(countBy, organizationId, sid, uids);
  }

  /** Questions grouped by equal normalized text: the 300 most frequent groups. */
  groups(organizationId: string, sid: string): Promise<RowOf<typeof groups>[]> {
    return this.database.run(groups, organizationId, sid);
  }
}

const TURNS = 100;

const turns = sql(
  'dialogue.turns',
  `SELECT t.turn_id AS "questionId!", t.dialog_index AS "dialogIndex!", t.question AS "question!", t.answer AS "answer!", t.asked_at AS "askedAt!",
          coalesce(q.open_reason = 'asked' AND q.resolved_at IS NULL, false) AS "isForTeacher!",
          q.teacher_answer AS "teacherAnswer", q.teacher_name AS "teacherName", q.resolved_at AS "resolvedAt"
     FROM chats c JOIN turns t USING (chat_key) LEFT JOIN questions q ON q.question_id = t.turn_id
    WHERE c.organization_id = $1 AND c.kind = 'tutor' AND c.name = $2 ORDER BY t.dialog_index DESC LIMIT ${TURNS}`,
);

@Injectable()
export class DialogueRepository {
  constructor(private readonly database: Database) {}

  /** The last turns of a tutor chat, newest first. */
  turns(organizationId: string, name: string): Promise<RowOf<typeof turns>[]> {
    return this.database.run(turns, organizationId, name);
  }
}
