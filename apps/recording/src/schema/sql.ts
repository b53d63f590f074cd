// Written by `npm run sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence';
import { RecordingEntity } from './recording.entity.js';
import { RetentionHoursEntity } from './retention-hours.entity.js';
import { RoomEntity } from './room.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'exported.recordings': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<RecordingEntity, 'organizationId' | 'egressId' | 'engineIds' | 'logoUrl' | 'version' | 'attemptedAt' | 'objectKey' | 'classEndedAt' | 'lookAt' | 'missingSince' | 'finalizeAt' | 'finalizeTries' | 'trace'> & { key: string[]; recordingId: string | null };
  };
  'recordings.claimFinalizations': { parameters: [SqlTime, SqlTime, SqlNumber]; row: RecordingEntity };
  'recordings.claimLooks': { parameters: [SqlTime, SqlTime, SqlNumber]; row: RecordingEntity };
  'recordings.findKey': { parameters: [SqlText]; row: Pick<RecordingEntity, 'recordingKey'> };
  'recordings.forgetTitle': { parameters: [SqlText]; row: object };
  'recordings.keepFor': { parameters: [SqlText, SqlNumber]; row: object };
  'recordings.lockByRoomId': { parameters: [SqlText, SqlText]; row: RecordingEntity };
  'recordings.reserve': {
    parameters: [SqlText, SqlText, SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlJson, SqlText, SqlTime, SqlTime, SqlText];
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
  'rooms.saveCreated': { parameters: [SqlText, SqlText, SqlText]; row: object };
  'sweeps.countByStatus': { parameters: []; row: Pick<RecordingEntity, 'status'> & { count: number } };
  'sweeps.findOldestDue': { parameters: []; row: { finalizeAt: Date | null; deleteAt: Date | null } };
  'sweeps.findWithoutClassEnd': { parameters: []; row: Pick<RecordingEntity, 'sid' | 'organizationId' | 'roomId'> };
}

export const sql = statements<Statements>('recording');
export const entities = [RecordingEntity, RetentionHoursEntity, RoomEntity];
