// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { ChatEntity } from './chat.entity.js';
import { ClassSummaryEntity } from './class-summary.entity.js';
import { QuestionEntity } from './question.entity.js';
import { RoomContextEntity } from './room-context.entity.js';
import { SettingsEntity } from './settings.entity.js';
import { TurnEntity } from './turn.entity.js';
import { UsageEntity } from './usage.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'chats.closeAbandonedTurns': { parameters: [SqlText, SqlTime]; row: Pick<TurnEntity, 'turnId' | 'question'> };
  'chats.countOld': { parameters: [SqlText, SqlTime, SqlTime]; row: { old: number; all: number; oldestAt: Date | null } };
  'chats.deleteChats': { parameters: [SqlText, SqlArray<SqlText>]; row: Pick<ChatEntity, 'sid'> };
  'chats.findErasable': { parameters: [SqlText, SqlText, SqlText]; row: Pick<ChatEntity, 'chatKey'> };
  'chats.findOld': { parameters: [SqlText, SqlTime, SqlText, SqlTime, SqlNumber]; row: { key: string; since: ChatEntity['updatedAt'] } };
  'chats.lease': {
    parameters: { chatKey: SqlText; organizationId: SqlText; kind: SqlText; name: SqlText; sid: SqlText; roomId: SqlText; uid: SqlText; holder: SqlText; until: SqlTime; now: SqlTime };
    row: Pick<ChatEntity, 'chatKey' | 'studentUid' | 'nextIndex' | 'summary' | 'summarizedTo'>;
  };
  'chats.open': {
    parameters: { dialogIndex: SqlNumber; askedAt: SqlTime; chatKey: SqlText; holder: SqlText; turnId: SqlText; question: SqlText; hasAudio: SqlBoolean; hasImage: SqlBoolean };
    row: object;
  };
  'chats.renew': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'chats.turnsFrom': { parameters: [SqlText, SqlNumber]; row: Omit<TurnEntity, 'chatKey' | 'hasAudio' | 'askedAt' | 'finishedAt'> };
  'class-questions.askedByOthers': { parameters: [SqlText, SqlText, SqlText]; row: { question: string; answer: string } };
  'class-questions.askedEarlier': { parameters: [SqlText, SqlText, SqlText]; row: { question: string } };
  'class-questions.countBy': { parameters: [SqlText, SqlText, SqlArray<SqlText>]; row: { uid: QuestionEntity['studentUid']; questions: number } };
  'class-questions.groups': {
    parameters: [SqlText, SqlText];
    row: { frequency: number; lastAskedAt: Date; question: string; answer: string; embedding: number[] | null };
  };
  'class-questions.open': {
    parameters: [SqlText, SqlText];
    row: { questionId: string; studentUid: string; question: string; askedAt: Date; reason: string; frequency: number };
  };
  'class-questions.stats': { parameters: [SqlText, SqlText]; row: { questions: number; students: number; lastAskedAt: Date | null } };
  'class-questions.studentsOf': { parameters: [SqlText, SqlText]; row: { uid: QuestionEntity['studentUid'] } };
  'class-summaries.countQuestions': { parameters: [SqlText, SqlText, SqlTime]; row: { questions: number } };
  'class-summaries.deleteOf': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'class-summaries.keep': { parameters: [SqlText, SqlText, SqlNumber, SqlTime, SqlText, SqlTime]; row: object };
  'class-summaries.keepDialogues': { parameters: [SqlText, SqlText]; row: object };
  'dialogue.turns': {
    parameters: [SqlText, SqlText];
    row: { questionId: TurnEntity['turnId']; dialogIndex: TurnEntity['dialogIndex']; question: TurnEntity['question']; answer: TurnEntity['answer']; askedAt: TurnEntity['askedAt']; isForTeacher: boolean; teacherAnswer: QuestionEntity['teacherAnswer'] | null; teacherName: QuestionEntity['teacherName'] | null; resolvedAt: QuestionEntity['resolvedAt'] | null };
  };
  'exported.classContexts': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<RoomContextEntity, 'organizationId'> & { key: string[] };
  };
  'exported.classSummaries': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<ClassSummaryEntity, 'organizationId' | 'lastAskedAt'> & { key: string[] };
  };
  'exported.dialogues': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<ChatEntity, 'organizationId' | 'nextIndex' | 'leaseHolder' | 'leaseUntil'> & { key: string[] };
  };
  'exported.resolvedQuestions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<QuestionEntity, 'questionId' | 'sid' | 'resolvedAt' | 'teacherAnswer'> & { key: string[] };
  };
  'exported.settings': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<SettingsEntity, 'updatedAt'> & { key: string[]; choices: unknown };
  };
  'exported.turns': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: { key: string[]; chatKey: ChatEntity['chatKey'] | null; roomId: ChatEntity['roomId'] | null; studentUid: ChatEntity['studentUid'] | null; turnId: TurnEntity['turnId'] | null; dialogIndex: TurnEntity['dialogIndex'] | null; question: TurnEntity['question'] | null; hasAudio: TurnEntity['hasAudio'] | null; hasImage: TurnEntity['hasImage'] | null; answer: TurnEntity['answer'] | null; state: TurnEntity['state'] | null; askedAt: TurnEntity['askedAt'] | null; finishedAt: TurnEntity['finishedAt'] | null; openReason: QuestionEntity['openReason'] | null; resolvedAt: QuestionEntity['resolvedAt'] | null; resolvedBy: string | null; teacherAnswer: QuestionEntity['teacherAnswer'] | null };
  };
  'exported.usage': { parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber]; row: Omit<UsageEntity, 'organizationId'> & { key: string[] } };
  'questions.forgetResolver': { parameters: [SqlText, SqlText]; row: object };
  'questions.recordAnswer': { parameters: [SqlText, SqlText, SqlText]; row: object };
  'questions.resolve': {
    parameters: { questionId: SqlText; organizationId: SqlText; sid: SqlText; at: SqlTime; by: SqlText; answer: SqlText; name: SqlText };
    row: object;
  };
  'room-contexts.find': { parameters: [SqlText, SqlText]; row: Pick<RoomContextEntity, 'topic' | 'notes'> };
  'room-contexts.set': {
    parameters: { sid: SqlText; organizationId: SqlText; topic: SqlText; notes: SqlText; at: SqlTime; isTopicGiven: SqlBoolean; areNotesGiven: SqlBoolean };
    row: Omit<RoomContextEntity, 'sid' | 'organizationId'>;
  };
  'settings.begin': { parameters: [SqlText, SqlTime]; row: object };
  'settings.find': { parameters: [SqlText]; row: SettingsEntity };
  'settings.save': { parameters: [SqlText, SqlJson, SqlTime]; row: object };
  'settings.withKeys': { parameters: [SqlText, SqlNumber]; row: { id: SettingsEntity['organizationId'] } };
  'usage.forgetStudents': { parameters: [SqlText, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'usage.keepChats': { parameters: [SqlArray<SqlText>]; row: Pick<ChatEntity, 'chatKey'> };
  'usage.ofOrganization': {
    parameters: [SqlText, SqlTime, SqlTime];
    row: { kind: UsageEntity['kind'] | null; interactions: number; chats: number; inputTokens: number; outputTokens: number; cost: string };
  };
  'usage.ofRoom': { parameters: [SqlText, SqlText]; row: { interactions: number; chats: number; inputTokens: number; outputTokens: number; cost: string } };
  'usage.ofStudents': {
    parameters: [SqlText, SqlText, SqlText, SqlNumber];
    row: { studentUid: NonNullable<UsageEntity['studentUid']>; interactions: number; chats: number; inputTokens: number; outputTokens: number; cost: string };
  };
}

export const sql = statements<Statements>('ai');
export const entities = [ChatEntity, ClassSummaryEntity, QuestionEntity, RoomContextEntity, SettingsEntity, TurnEntity, UsageEntity];
