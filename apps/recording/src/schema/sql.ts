// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { RecordingBucketEntity } from './recording-bucket.entity.js';
import { RecordingCopyEntity } from './recording-copy.entity.js';
import { RecordingEntity } from './recording.entity.js';
import { RetentionHoursEntity } from './retention-hours.entity.js';
import { RoomEntity } from './room.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'buckets.listSealed': { parameters: [SqlText, SqlNumber]; row: Pick<RecordingBucketEntity, 'organizationId' | 'sealedSecret'> };
  'buckets.noteFailure': { parameters: [SqlText, SqlNumber, SqlTime, SqlText]; row: object };
  'buckets.noteSuccess': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'buckets.remove': { parameters: [SqlText]; row: object };
  'buckets.reseal': { parameters: [SqlText, SqlText, SqlText]; row: object };
  'buckets.save': {
    parameters: { organizationId: SqlText; endpoint: SqlText; region: SqlText; bucket: SqlText; prefix: SqlText; accessKeyId: SqlText; sealedSecret: SqlText; forcePathStyle: SqlBoolean; now: SqlTime };
    row: object;
  };
  'copies.adopt': { parameters: [SqlTime, SqlTime, SqlNumber]; row: object };
  'copies.beginAttempt': { parameters: [SqlText, SqlTime]; row: RecordingCopyEntity };
  'copies.claimDue': { parameters: [SqlTime, SqlTime, SqlNumber]; row: Pick<RecordingCopyEntity, 'recordingKey'> };
  'copies.complete': { parameters: [SqlText, SqlNumber, SqlText, SqlTime]; row: object };
  'copies.countExisting': { parameters: [SqlArray<SqlText>]; row: { count: number } };
  'copies.erase': { parameters: [SqlText, SqlArray<SqlText>, SqlTime]; row: object };
  'copies.extend': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'copies.giveUp': {
    parameters: [SqlText, SqlText, SqlText];
    row: Pick<RecordingCopyEntity, 'attempts'> & { error: NonNullable<RecordingCopyEntity['error']> };
  };
  'copies.giveUpAll': {
    parameters: [SqlText, SqlText];
    row: Pick<RecordingEntity, 'recordingKey' | 'organizationId' | 'sid' | 'roomId' | 'egressId'> & Pick<RecordingCopyEntity, 'attempts'>;
  };
  'copies.hasten': { parameters: [SqlText, SqlTime]; row: object };
  'copies.listOf': { parameters: [SqlArray<SqlText>]; row: RecordingCopyEntity };
  'copies.postpone': { parameters: [SqlText, SqlNumber, SqlText, SqlTime]; row: object };
  'copies.release': { parameters: [SqlText, SqlNumber]; row: object };
  'copies.removeOf': { parameters: [SqlText]; row: { exists: boolean } };
  'copies.request': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'copies.retryAll': { parameters: [SqlText, SqlTime]; row: object };
  'copies.saveUpload': { parameters: [SqlText, SqlNumber, SqlText, SqlText]; row: object };
  'copies.summarize': { parameters: [SqlTime]; row: { pending: number; dueAt: Date | null } };
  'exported.madeDuring': {
    parameters: [SqlText, SqlArray<SqlText>, SqlArray<SqlTime>, SqlArray<SqlTime>];
    row: Pick<RecordingEntity, 'sid' | 'roomId' | 'title' | 'status' | 'deletedAt'> & { recordingId: string; from: Date; until: Date | null };
  };
  'exported.recordings': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<RecordingEntity, 'organizationId' | 'egressId' | 'engineIds' | 'logoUrl' | 'version' | 'attemptedAt' | 'pausedAt' | 'mergedFrom' | 'objectKey' | 'classEndedAt' | 'lookAt' | 'missingSince' | 'finalizeAt' | 'finalizeTries' | 'trace'> & { key: string[]; recordingId: string | null };
  };
  'recordings.claimFinalizations': { parameters: [SqlTime, SqlTime, SqlNumber]; row: RecordingEntity };
  'recordings.claimLooks': { parameters: [SqlTime, SqlTime, SqlNumber]; row: RecordingEntity };
  'recordings.countHolds': { parameters: [SqlText]; row: { holds: number } };
  'recordings.countOld': { parameters: [SqlText, SqlTime]; row: { old: number; all: number; oldestAt: Date | null } };
  'recordings.deleteSoon': { parameters: [SqlText, SqlTime]; row: object };
  'recordings.endHolds': { parameters: [SqlText]; row: object };
  'recordings.findKey': { parameters: [SqlText]; row: Pick<RecordingEntity, 'recordingKey'> };
  'recordings.forget': { parameters: [SqlText]; row: object };
  'recordings.hasUndeleted': { parameters: [SqlText]; row: object };
  'recordings.keepFor': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'recordings.lockByRoomId': { parameters: [SqlText, SqlText]; row: RecordingEntity };
  'recordings.reserve': {
    parameters: { recordingKey: SqlText; organizationId: SqlText; sid: SqlText; roomId: SqlText; title: SqlText; engineIds: SqlArray<SqlText>; options: SqlJson; logoUrl: SqlText; requestedAt: SqlTime; lookAt: SqlTime; trace: SqlText; mergedFrom: SqlArray<SqlText> };
    row: object;
  };
  'retention-hours.find': { parameters: [SqlText]; row: Pick<RetentionHoursEntity, 'hours'> };
  'retention-hours.remove': { parameters: [SqlText]; row: object };
  'retention-hours.save': { parameters: [SqlText, SqlNumber]; row: object };
  'rooms.claimWanted': {
    parameters: [SqlTime, SqlTime, SqlNumber];
    row: Pick<RoomEntity, 'sid'> & { organizationId: NonNullable<RoomEntity['organizationId']>; roomId: NonNullable<RoomEntity['roomId']> };
  };
  'rooms.markEnded': { parameters: [SqlText, SqlText, SqlText, SqlTime]; row: object };
  'rooms.markPublishing': { parameters: [SqlText, SqlTime]; row: object };
  'rooms.saveAutoRecord': { parameters: [SqlText, SqlText, SqlText, SqlBoolean, SqlTime]; row: object };
  'sweeps.countByStatus': { parameters: []; row: Pick<RecordingEntity, 'status'> & { count: number } };
  'sweeps.findDueForDeletion': { parameters: [SqlTime, SqlTime, SqlNumber]; row: Pick<RecordingEntity, 'recordingKey'> };
  'sweeps.findOldestUndeleted': { parameters: [SqlTime]; row: { since: Date | null } };
  'sweeps.findOldestUnfinalized': { parameters: []; row: { since: Date | null } };
  'sweeps.findWithoutClassEnd': { parameters: [SqlText, SqlNumber]; row: Pick<RecordingEntity, 'sid' | 'organizationId' | 'roomId'> };
}

export const sql = statements<Statements>('recording');
export const entities = [RecordingBucketEntity, RecordingCopyEntity, RecordingEntity, RetentionHoursEntity, RoomEntity];
