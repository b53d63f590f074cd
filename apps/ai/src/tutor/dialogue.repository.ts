import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

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
