// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { CaptionEntity } from './caption.entity.js';
import { DocumentPageEntity } from './document-page.entity.js';
import { DocumentEntity } from './document.entity.js';
import { LibraryEntity } from './library.entity.js';
import { VideoEntity } from './video.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'captions.ofVideo': { parameters: [SqlText]; row: Omit<CaptionEntity, 'videoId' | 'size'> };
  'captions.put': { parameters: [SqlText, SqlText, SqlText, SqlBoolean, SqlNumber]; row: object };
  'document-pages.after': { parameters: [SqlText, SqlNumber, SqlNumber]; row: Omit<DocumentPageEntity, 'documentId'> };
  'document-pages.insert': {
    parameters: { documentId: SqlText; page: SqlArray<SqlNumber>; width: SqlArray<SqlNumber>; height: SqlArray<SqlNumber>; text: SqlArray<SqlText> };
    row: object;
  };
  'document-pages.texts': { parameters: [SqlText, SqlText, SqlNumber]; row: Pick<DocumentEntity, 'title'> & Pick<DocumentPageEntity, 'page' | 'text'> };
  'documents.backlog': { parameters: []; row: { count: number; dueAt: Date | null } };
  'documents.claim': { parameters: [SqlTime, SqlTime, SqlNumber]; row: DocumentEntity };
  'documents.claimLoading': { parameters: [SqlTime, SqlTime, SqlNumber]; row: DocumentEntity };
  'documents.complete': { parameters: [SqlText, SqlNumber, SqlNumber, SqlNumber, SqlTime]; row: DocumentEntity };
  'documents.fail': { parameters: [SqlText, SqlNumber, SqlText, SqlTime]; row: DocumentEntity };
  'documents.insert': {
    parameters: { documentId: SqlText; organizationId: SqlText; roomId: SqlText; sid: SqlText; title: SqlText; sourceUrl: SqlText; size: SqlNumber; uploadId: SqlText; uploadExpiresAt: SqlTime; dueAt: SqlTime; createdAt: SqlTime; max: SqlNumber };
    row: object;
  };
  'documents.markAllDeleted': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'documents.ofClass': { parameters: [SqlText, SqlText, SqlNumber]; row: DocumentEntity };
  'documents.renew': { parameters: [SqlText, SqlNumber, SqlTime]; row: object };
  'exported.captions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId'> & Omit<CaptionEntity, 'videoId' | 'size'> & { key: string[] };
  };
  'exported.documentPages': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<DocumentEntity, 'documentId'> & Pick<DocumentPageEntity, 'page' | 'text'> & { key: string[] };
  };
  'exported.documents': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<DocumentEntity, 'organizationId' | 'uploadId' | 'uploadExpiresAt' | 'attempt' | 'dueAt' | 'outputBytes' | 'deletedAt' | 'trace'> & { key: string[] };
  };
  'exported.videos': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<VideoEntity, 'videoId' | 'title' | 'fileName' | 'contentType' | 'playback' | 'size' | 'status' | 'duration' | 'recordingId' | 'createdAt' | 'completedAt'> & { key: string[] };
  };
  'libraries.add': { parameters: [SqlText, SqlNumber]; row: object };
  'libraries.find': { parameters: [SqlText, SqlTime]; row: Pick<LibraryEntity, 'seconds'> };
  'libraries.lock': { parameters: [SqlText, SqlTime]; row: Pick<LibraryEntity, 'seconds'> };
  'library.page': { parameters: [SqlText, SqlTime, SqlText, SqlNumber]; row: VideoEntity };
  'uploads.find': {
    parameters: [SqlText];
    row: { table: string; id: string; organizationId: string; status: string; size: number; attempt: number; uploadId: string | null; uploadExpiresAt: Date | null };
  };
  'uploads.open': {
    parameters: [SqlText, SqlNumber];
    row: { table: string; id: string; organizationId: string; status: string; size: number; attempt: number; uploadId: string | null; uploadExpiresAt: Date | null };
  };
  'uploads.overdue': {
    parameters: [SqlTime, SqlNumber];
    row: { table: string; id: string; organizationId: string; status: string; size: number; attempt: number; uploadId: string | null; uploadExpiresAt: Date | null };
  };
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
export const entities = [CaptionEntity, DocumentPageEntity, DocumentEntity, LibraryEntity, VideoEntity];
