// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { CaptionEntity } from './caption.entity.js';
import { LibraryEntity } from './library.entity.js';
import { VideoEntity } from './video.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'captions.ofVideo': { parameters: [SqlText]; row: Omit<CaptionEntity, 'videoId' | 'size'> };
  'captions.put': { parameters: [SqlText, SqlText, SqlText, SqlBoolean, SqlNumber]; row: object };
  'exported.captions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId'> & Omit<CaptionEntity, 'videoId' | 'size'> & { key: string[] };
  };
  'exported.videos': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId' | 'title' | 'fileName' | 'contentType' | 'playback' | 'size' | 'status' | 'duration' | 'recordingId' | 'createdAt' | 'completedAt'> & { key: string[] };
  };
  'libraries.add': { parameters: [SqlText, SqlNumber]; row: object };
  'libraries.find': { parameters: [SqlText, SqlTime]; row: Pick<LibraryEntity, 'seconds'> };
  'libraries.lock': { parameters: [SqlText, SqlTime]; row: Pick<LibraryEntity, 'seconds'> };
  'library.page': { parameters: [SqlText, SqlTime, SqlText, SqlNumber]; row: VideoEntity };
  'uploads.find': { parameters: [SqlText]; row: VideoEntity };
  'videos.begin': { parameters: [SqlText, SqlTime, SqlTime]; row: VideoEntity };
  'videos.countCaptions': { parameters: [SqlText]; row: object };
  'videos.failUpload': {
    parameters: [SqlText, SqlText, SqlTime];
    row: Pick<VideoEntity, 'organizationId' | 'videoId' | 'title' | 'duration' | 'message' | 'status'>;
  };
  'videos.find': { parameters: [SqlText]; row: VideoEntity };
  'videos.findOwned': { parameters: [SqlText, SqlText]; row: VideoEntity };
  'videos.finish': {
    parameters: { status: SqlText; result: SqlJson; message: SqlText; duration: SqlNumber; at: SqlTime; bytes: SqlNumber; videoId: SqlText; attempt: SqlNumber };
    row: Pick<VideoEntity, 'organizationId' | 'videoId' | 'title' | 'duration' | 'message' | 'status'>;
  };
  'videos.insert': {
    parameters: { videoId: SqlText; organizationId: SqlText; title: SqlText; fileName: SqlText; contentType: SqlText; playback: SqlText; size: SqlNumber; uploadId: SqlText; uploadExpiresAt: SqlTime; recordingId: SqlText; createdAt: SqlTime };
    row: object;
  };
  'videos.markAllDeleted': { parameters: [SqlText, SqlTime]; row: object };
  'videos.markCounted': { parameters: [SqlText, SqlNumber]; row: object };
  'videos.progress': { parameters: [SqlText, SqlNumber, SqlNumber, SqlTime]; row: object };
  'videos.storedBytes': { parameters: [SqlText]; row: { bytes: number } };
  'waiting-videos.backlog': { parameters: []; row: { count: number; dueAt: Date | null } };
  'waiting-videos.due': { parameters: [SqlTime, SqlNumber]; row: { videoId: VideoEntity['videoId'] } };
}

export const sql = statements<Statements>('media');
export const entities = [CaptionEntity, LibraryEntity, VideoEntity];
