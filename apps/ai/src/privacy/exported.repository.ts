import { Injectable } from '@nestjs/common';
import { exportRpc, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import {
  exportPage,
  Handles,
  NOT_OF_A_PERSON,
  OF_ORGANIZATION,
  ofPerson,
  ownOnly,
  rowsOf,
  rowsOfOwners,
  type ExportedStore,
} from '@classroom/messaging';
import { columnsOf, Database } from '@classroom/persistence';
import { ChatEntity } from '../schema/chat.entity.js';
import { sql } from '../schema/sql.js';
import { TurnEntity } from '../schema/turn.entity.js';
import { UsageEntity } from '../schema/usage.entity.js';

const DIALOGUES = (chats: string) =>
  `${chats}.organization_id = $1 AND ${ofPerson(`${chats}.student_uid`)} AND ($3::text IS NULL OR ${chats}.room_id = $3)`;
/** This service knows a class by its dialogues. */
const IN_CLASSES = '($3::text IS NULL OR t.sid IN (SELECT sid FROM chats WHERE organization_id = $1 AND room_id = $3))';

const dialogues = sql.planned(
  'exported.dialogues',
  rowsOf({
    from: 'chats t',
    columns: columnsOf(ChatEntity, { from: 't', except: ['organizationId', 'nextIndex', 'leaseHolder', 'leaseUntil'] }),
    key: { chatKey: 'uuid' },
    where: DIALOGUES('t'),
  }),
);

const turns = sql.planned(
  'exported.turns',
  rowsOfOwners({
    owners: 'chats o',
    ownerKey: 'chat_key',
    ownerKeyType: 'uuid',
    ownerColumns: 'o.chat_key AS "chatKey", o.room_id AS "roomId", o.student_uid AS "studentUid"',
    ownerWhere: DIALOGUES('o'),
    from: 'turns t LEFT JOIN questions q ON q.question_id = t.turn_id',
    columns: `${columnsOf(TurnEntity, { from: 't', except: ['chatKey'] })}, q.open_reason AS "openReason", q.resolved_at AS "resolvedAt",
      ${ownOnly('q.resolved_by')} AS "resolvedBy", q.teacher_answer AS "teacherAnswer"`,
    key: { dialogIndex: 'integer' },
    where: 't.chat_key = o.chat_key',
  }),
);

/** Questions of others that the person resolved, without what they asked. */
const resolvedQuestions = sql.planned(
  'exported.resolvedQuestions',
  rowsOf({
    from: 'questions t',
    columns: 't.question_id AS "questionId", t.sid, t.resolved_at AS "resolvedAt", t.teacher_answer AS "teacherAnswer"',
    key: { questionId: 'uuid' },
    where: 't.organization_id = $1 AND t.resolved_by = $2 AND t.student_uid <> $2 AND $3::text IS NULL',
  }),
);

const usage = sql.planned(
  'exported.usage',
  rowsOf({
    from: 'usage t',
    columns: columnsOf(UsageEntity, { from: 't', except: ['organizationId'] }),
    key: { recordedAt: 'timestamptz', usageId: 'uuid' },
    where: `t.organization_id = $1 AND ${IN_CLASSES}
      AND ($2::text IS NULL OR t.chat_key IN (SELECT chat_key FROM chats WHERE organization_id = $1 AND student_uid = $2))`,
  }),
);

const classSummaries = sql.planned(
  'exported.classSummaries',
  rowsOf({
    from: 'class_summaries t',
    columns: 't.sid, t.questions, t.summary, t.made_at AS "madeAt"',
    key: { sid: 'text' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ${IN_CLASSES}`,
  }),
);

const classContexts = sql.planned(
  'exported.classContexts',
  rowsOf({
    from: 'room_contexts t',
    columns: 't.sid, t.topic, t.notes, t.updated_at AS "updatedAt"',
    key: { sid: 'text' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ${IN_CLASSES}`,
  }),
);

/** Without the keys of the providers. */
const settings = sql.planned(
  'exported.settings',
  rowsOf({
    from: 'settings t',
    columns: `(SELECT json_object_agg(c.key, CASE WHEN jsonb_typeof(c.value) = 'object' THEN c.value - 'sealedKey' ELSE c.value END)
        FROM jsonb_each(t.choices::jsonb) c) AS choices, t.updated_at AS "updatedAt"`,
    key: { organizationId: 'text' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const STORES: ExportedStore[] = [
  { name: 'dialogues', statement: dialogues },
  { name: 'turns', statement: turns },
  { name: 'resolved-questions', statement: resolvedQuestions },
  { name: 'usage', statement: usage },
  { name: 'class-summaries', statement: classSummaries },
  { name: 'class-contexts', statement: classContexts },
  { name: 'settings', statement: settings },
];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  @Handles(exportRpc.ai)
  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }
}
