// Written by `npm run sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence';
import { CaptionEntity } from './caption.entity.js';
import { VideoEntity } from './video.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'captions.ofVideo': { parameters: [SqlText]; row: Omit<CaptionEntity, 'videoId'> };
  'captions.put': { parameters: [SqlText, SqlText, SqlText, SqlBoolean]; row: object };
  'exported.captions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId'> & Omit<CaptionEntity, 'videoId'> & { key: string[] };
  };
  'exported.videos': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId' | 'title' | 'fileName' | 'contentType' | 'playback' | 'size' | 'status' | 'duration' | 'recordingId' | 'createdAt' | 'completedAt'> & { key: string[] };
  };
  'library.page': { parameters: [SqlText, SqlTime, SqlText, SqlNumber]; row: VideoEntity };
  'uploads.find': { parameters: [SqlText]; row: VideoEntity };
  'videos.begin': { parameters: [SqlText, SqlTime, SqlTime]; row: VideoEntity };
  'videos.failUpload': {
    parameters: [SqlText, SqlText, SqlTime];
    row: Pick<VideoEntity, 'organizationId' | 'videoId' | 'title' | 'duration' | 'message' | 'status'>;
  };
  'videos.find': { parameters: [SqlText]; row: VideoEntity };
  'videos.findOwned': { parameters: [SqlText, SqlText]; row: VideoEntity };
  'videos.finish': {
    parameters: [SqlText, SqlNumber, SqlText, SqlJson, SqlText, SqlNumber, SqlTime];
    row: Pick<VideoEntity, 'organizationId' | 'videoId' | 'title' | 'duration' | 'message' | 'status'>;
  };
  'videos.insert': { parameters: [SqlText, SqlText, SqlText, SqlText, SqlText, SqlText, SqlNumber, SqlText, SqlTime, SqlText, SqlTime]; row: object };
  'videos.markAllDeleted': { parameters: [SqlText, SqlTime]; row: object };
  'videos.progress': { parameters: [SqlText, SqlNumber, SqlNumber, SqlTime]; row: object };
  'waiting-videos.backlog': { parameters: []; row: { count: number; dueAt: Date | null } };
  'waiting-videos.due': { parameters: [SqlTime, SqlNumber]; row: { videoId: VideoEntity['videoId'] } };
}

export const sql = statements<Statements>('media');
export const entities = [CaptionEntity, VideoEntity];
