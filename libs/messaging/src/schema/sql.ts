// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'appliedErasures.add': { parameters: [SqlText, SqlText]; row: object };
  'appliedErasures.lock': { parameters: [SqlText, SqlText]; row: { isComplete: boolean; counts: unknown } };
  'appliedErasures.save': { parameters: [SqlText, SqlBoolean, SqlJson]; row: object };
  'creditStatus.apply': { parameters: [SqlText, SqlNumber, SqlBoolean, SqlBoolean]; row: object };
  'creditStatus.find': { parameters: [SqlText]; row: { isOverconsumed: boolean; isExhausted: boolean } };
  'inbox.accept': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'inbox.acceptAll': { parameters: [SqlText, SqlArray<SqlText>, SqlTime]; row: { messageId: string } };
  'inbox.deleteReceived': { parameters: [SqlText, SqlTime, SqlNumber]; row: object };
  'inbox.oldest': { parameters: [SqlArray<SqlText>]; row: { oldest: Date | null } };
  'outbox.add': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>, SqlTime]; row: object };
  'outbox.backlog': { parameters: []; row: { waiting: number; oldest: Date | null; setAside: number } };
  'outbox.deletePublished': { parameters: [SqlTime, SqlNumber]; row: object };
  'outbox.isWaiting': { parameters: [SqlNumber]; row: { isWaiting: boolean } };
  'outbox.lastUnpublished': { parameters: []; row: { position: number | null } };
  'outbox.lock': { parameters: []; row: { isHeld: boolean; set_config: string | null } };
  'outbox.markPublished': { parameters: [SqlArray<SqlText>, SqlTime]; row: object };
  'outbox.oldestPublished': { parameters: []; row: { oldest: Date | null } };
  'outbox.setAside': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlTime]; row: object };
  'outbox.unpublished': { parameters: []; row: { id: string; subject: string; body: string; trace: string | null } };
  'retentionProgress.add': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'retentionProgress.advance': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'retentionProgress.claim': { parameters: [SqlText, SqlText]; row: object };
  'retentionProgress.find': { parameters: [SqlText, SqlText]; row: { through: Date } };
}

export const sql = statements<Statements>('messaging');
