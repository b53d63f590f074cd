import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { documentPrefixOf, documentSourceOf, prefixOf, sourceKeyOf } from '../stored/object-keys.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { sql } from '../schema/sql.js';

const columnsOf = (table: 'videos' | 'documents', id: string) =>
  `SELECT '${table}' AS "table!", ${id} AS "id!", organization_id AS "organizationId!", status AS "status!", size AS "size!", attempt AS "attempt!",
          upload_id AS "uploadId", upload_expires_at AS "uploadExpiresAt" FROM ${table}`;
const [VIDEOS, DOCUMENTS] = [columnsOf('videos', 'video_id'), columnsOf('documents', 'document_id')];

const find = sql(
  'uploads.find',
  `${VIDEOS} WHERE upload_id = $1 AND deleted_at IS NULL UNION ALL ${DOCUMENTS} WHERE upload_id = $1 AND deleted_at IS NULL`,
);

const OPEN = `status = 'uploading' AND upload_id IS NOT NULL AND deleted_at IS NULL`;
const open = sql(
  'uploads.open',
  `(${VIDEOS} WHERE ${OPEN} AND video_id > $1 ORDER BY video_id LIMIT $2) UNION ALL (${DOCUMENTS} WHERE ${OPEN} AND document_id > $1 ORDER BY document_id LIMIT $2)
    ORDER BY 2 LIMIT $2`,
);

const OVERDUE = `status = 'uploading' AND deleted_at IS NULL AND upload_expires_at <= $1 ORDER BY upload_expires_at LIMIT $2`;
const overdue = sql(
  'uploads.overdue',
  `(${VIDEOS} WHERE ${OVERDUE}) UNION ALL (${DOCUMENTS} WHERE ${OVERDUE}) ORDER BY "uploadExpiresAt" LIMIT $2`,
);

/** A file that is on its way into the storage, for a video or for a document of a class. */
export interface Upload extends Pick<VideoEntity, 'organizationId' | 'status' | 'size' | 'attempt' | 'uploadId' | 'uploadExpiresAt'> {
  table: 'videos' | 'documents';
  /** Of the video or the document. */
  id: string;
  /** Key of the object that it becomes, and the prefix of everything of the video or the document. */
  key: string;
  prefix: string;
}

type Row = Omit<Upload, 'key' | 'prefix'>;

/** Reads videos and documents by their uploads. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly database: Database) {}

  async find(uploadId: string): Promise<Upload | undefined> {
    const row = await this.database.first(find, uploadId);
    return row && toUpload(row as Row);
  }

  /** Uploads that are not known to be complete, in the order of the ids. */
  async open(afterId: string, limit: number): Promise<Upload[]> {
    return (await this.database.run(open, afterId, limit)).map((row) => toUpload(row as Row));
  }

  /** Also copies of recordings and files to be loaded, which have no upload. */
  async overdue(now: Date, limit: number): Promise<Upload[]> {
    return (await this.database.run(overdue, now, limit)).map((row) => toUpload(row as Row));
  }
}

function toUpload(row: Row): Upload {
  const { id, organizationId } = row;
  if (row.table === 'videos') {
    const video = { organizationId, videoId: id };
    return { ...row, key: sourceKeyOf(video), prefix: prefixOf(video) };
  }
  const document = { organizationId, documentId: id };
  return { ...row, key: documentSourceOf(document), prefix: documentPrefixOf(document) };
}
