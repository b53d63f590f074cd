import { Injectable } from '@nestjs/common';
import { exportRpc, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import { exportPage, Handles, NOT_OF_A_PERSON, OF_ORGANIZATION, rowsOf, rowsOfOwners, type ExportedStore } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** Videos belong to no class and no person, documents to a class. Their files have an API of their own. */
const videos = sql.planned(
  'exported.videos',
  rowsOf({
    from: 'videos t',
    columns: `t.video_id AS "videoId", t.title, t.file_name AS "fileName", t.content_type AS "contentType", t.playback, t.size, t.status, t.duration,
      t.recording_id AS "recordingId", t.created_at AS "createdAt", t.completed_at AS "completedAt"`,
    key: { createdAt: 'timestamptz', videoId: 'text' },
    where: `t.organization_id = $1 AND t.deleted_at IS NULL AND ${OF_ORGANIZATION}`,
  }),
);

const captions = sql.planned(
  'exported.captions',
  rowsOfOwners({
    owners: 'videos o',
    ownerKey: 'video_id',
    ownerKeyType: 'text',
    ownerColumns: 'o.video_id AS "videoId"',
    ownerWhere: `o.organization_id = $1 AND o.deleted_at IS NULL AND ${OF_ORGANIZATION}`,
    from: 'captions t',
    columns: 't.language, t.label, t.is_default AS "isDefault"',
    key: { language: 'text' },
    where: 't.video_id = o.video_id',
  }),
);

const documentsOf = (table: string) =>
  `${table}.organization_id = $1 AND ${table}.deleted_at IS NULL AND ${NOT_OF_A_PERSON} AND ($3::text IS NULL OR ${table}.room_id = $3)`;

const documents = sql.planned(
  'exported.documents',
  rowsOf({
    from: 'documents t',
    columns: `t.document_id AS "documentId", t.room_id AS "roomId", t.sid, t.title, t.source_url AS "sourceUrl", t.size, t.status, t.message, t.pages,
      t.created_at AS "createdAt", t.completed_at AS "completedAt"`,
    key: { documentId: 'text' },
    where: documentsOf('t'),
  }),
);

const documentPages = sql.planned(
  'exported.documentPages',
  rowsOfOwners({
    owners: 'documents o',
    ownerKey: 'document_id',
    ownerKeyType: 'text',
    ownerColumns: 'o.document_id AS "documentId"',
    ownerWhere: documentsOf('o'),
    from: 'document_pages t',
    columns: 't.page, t.text',
    key: { page: 'integer' },
    where: 't.document_id = o.document_id',
  }),
);

const STORES: ExportedStore[] = [
  { name: 'videos', statement: videos },
  { name: 'captions', statement: captions },
  { name: 'documents', statement: documents },
  { name: 'document-pages', statement: documentPages },
];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  @Handles(exportRpc.media)
  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }
}
