import { Injectable } from '@nestjs/common';
import { documentConverted, documentFailed, MAX_DOCUMENTS } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { columnsOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { currentTraceparent } from '@classroom/platform';
import { IsNull, LessThanOrEqual, Not, Or } from 'typeorm';
import { DocumentEntity } from '../schema/document.entity.js';
import { sql } from '../schema/sql.js';
import { DocumentPagesRepository, type DocumentPage } from './document-pages.repository.js';

export type NewDocument = Pick<
  DocumentEntity,
  | 'documentId'
  | 'organizationId'
  | 'roomId'
  | 'sid'
  | 'title'
  | 'sourceUrl'
  | 'size'
  | 'uploadId'
  | 'uploadExpiresAt'
  | 'dueAt'
  | 'createdAt'
>;

const insert = sql(
  'documents.insert',
  `INSERT INTO documents (document_id, organization_id, room_id, sid, title, source_url, size, status, upload_id, upload_expires_at, due_at, created_at)
   SELECT :documentId, :organizationId, :roomId, :sid, :title, :sourceUrl, :size, 'uploading', :uploadId, :uploadExpiresAt, :dueAt, :createdAt
    WHERE (SELECT count(*) FROM documents WHERE organization_id = :organizationId AND room_id = :roomId AND deleted_at IS NULL) < :max
   RETURNING 1`,
);

const ofClass = sql(
  'documents.ofClass',
  `SELECT ${columnsOf(DocumentEntity)} FROM documents WHERE organization_id = $1 AND room_id = $2 AND deleted_at IS NULL
    ORDER BY created_at, document_id LIMIT $3`,
);

const claimLoading = sql(
  'documents.claimLoading',
  `UPDATE documents SET due_at = $2
    WHERE document_id IN (SELECT document_id FROM documents
      WHERE due_at <= $1 AND status = 'uploading' AND source_url IS NOT NULL AND deleted_at IS NULL
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING ${columnsOf(DocumentEntity)}`,
);

/** One document of each organization before a second one of any. One that is being converted counts as the first turn of its organization. */
const claim = sql(
  'documents.claim',
  `WITH turns AS (
     SELECT document_id, row_number() OVER (PARTITION BY organization_id ORDER BY status = 'processing' DESC, due_at, document_id) AS turn
       FROM documents WHERE due_at IS NOT NULL AND deleted_at IS NULL AND status IN ('pending', 'processing'))
   UPDATE documents SET status = 'processing', attempt = attempt + 1, due_at = $2
    WHERE document_id IN (SELECT d.document_id FROM documents d JOIN turns t ON t.document_id = d.document_id
      WHERE d.due_at <= $1 AND d.deleted_at IS NULL AND d.status IN ('pending', 'processing')
      ORDER BY t.turn, d.due_at, d.document_id LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
   RETURNING ${columnsOf(DocumentEntity)}`,
);

const renew = sql(
  'documents.renew',
  `UPDATE documents SET due_at = $3 WHERE document_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL RETURNING 1`,
);

const complete = sql(
  'documents.complete',
  `UPDATE documents SET status = 'completed', message = NULL, pages = $3, output_bytes = $4, completed_at = $5, due_at = NULL
    WHERE document_id = $1 AND attempt = $2 AND status = 'processing' AND deleted_at IS NULL RETURNING ${columnsOf(DocumentEntity)}`,
);

const fail = sql(
  'documents.fail',
  `UPDATE documents SET status = 'failed', message = $3, completed_at = $4, due_at = NULL
    WHERE document_id = $1 AND attempt = $2 AND status IN ('uploading', 'processing') AND deleted_at IS NULL RETURNING ${columnsOf(DocumentEntity)}`,
);

const markAllDeleted = sql(
  'documents.markAllDeleted',
  `UPDATE documents SET deleted_at = $3, due_at = NULL, upload_expires_at = NULL
    WHERE organization_id = $1 AND ($2::text IS NULL OR room_id = $2) AND deleted_at IS NULL RETURNING 1`,
);

const backlog = sql(
  'documents.backlog',
  `SELECT count(*) AS "count!", min(due_at) FILTER (WHERE status = 'pending') AS "dueAt"
     FROM documents WHERE due_at IS NOT NULL AND status IN ('pending', 'processing')`,
);

/** Writes every row of `documents`. A worker's write for an outdated attempt or a deleted document changes nothing. */
@Injectable()
export class DocumentsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly documentPages: DocumentPagesRepository,
  ) {}

  async find(documentId: string): Promise<DocumentEntity | null> {
    return this.database.manager.findOneBy(DocumentEntity, { documentId, deletedAt: IsNull() });
  }

  async findOwned(organizationId: string, roomId: string, documentId: string): Promise<DocumentEntity | null> {
    return this.database.manager.findOneBy(DocumentEntity, { documentId, organizationId, roomId, deletedAt: IsNull() });
  }

  /** Oldest first. */
  ofClass(organizationId: string, roomId: string): Promise<DocumentEntity[]> {
    return this.database.run(ofClass, organizationId, roomId, MAX_DOCUMENTS);
  }

  /** False if the class has as many documents as it can have. Those of an organization are inserted one at a time, by the lock of its quotas. */
  async insert(tx: Transaction, document: NewDocument): Promise<boolean> {
    return (await tx.run(insert, { ...document, max: MAX_DOCUMENTS })).length === 1;
  }

  /** Deletes the row of a document that could not be created. Does nothing if its file was stored. */
  async discard(documentId: string): Promise<void> {
    await this.database.manager.delete(DocumentEntity, { documentId, status: 'uploading' });
  }

  /** Marks the file as complete, so that a worker takes it. False if the document no longer waits for it. */
  async markUploaded(tx: Transaction, documentId: string, size: number, at: Date): Promise<boolean> {
    const change = { status: 'pending', size, dueAt: at, trace: currentTraceparent() } as const;
    const { affected } = await tx.manager.update(DocumentEntity, { documentId, status: 'uploading', deletedAt: IsNull() }, change);
    return affected === 1;
  }

  /** Documents whose file has to be loaded from its address. They are due again at `again`. */
  claimLoading(now: Date, again: Date, limit: number): Promise<DocumentEntity[]> {
    return this.database.run(claimLoading, now, again, limit);
  }

  async retryLoading(documentId: string, at: Date): Promise<void> {
    await this.database.manager.update(DocumentEntity, { documentId, status: 'uploading', deletedAt: IsNull() }, { dueAt: at });
  }

  /** Begins an attempt at each of these documents, from now on the only one that counts. If its worker dies, the document is due again at `again`. */
  claim(now: Date, again: Date, limit: number): Promise<DocumentEntity[]> {
    return this.database.run(claim, now, again, limit);
  }

  /** False if the attempt no longer counts: the document was deleted, or another attempt has begun. */
  async renew(documentId: string, attempt: number, again: Date): Promise<boolean> {
    return (await this.database.run(renew, documentId, attempt, again)).length === 1;
  }

  /** Returns the document after an attempt that is not at fault: it is not counted, and its output may be overwritten. */
  async postpone({ documentId, attempt }: DocumentEntity, at: Date): Promise<void> {
    const own = { documentId, attempt, status: 'processing', deletedAt: IsNull() } as const;
    await this.database.manager.update(DocumentEntity, own, { status: 'pending', attempt: attempt - 1, dueAt: at });
  }

  /** False if the attempt no longer counts. */
  complete({ documentId, attempt }: DocumentEntity, pages: readonly DocumentPage[], bytes: number, at: Date): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const row = await tx.first(complete, documentId, attempt, pages.length, bytes, at);
      if (!row) return false;
      await this.documentPages.insert(tx, documentId, pages);
      const { organizationId, roomId, sid, title } = row;
      await this.outbox.add(
        tx,
        fact(documentConverted, documentId, { organizationId, documentId, roomId, sid, title, pages: pages.length }),
      );
      return true;
    });
  }

  /** @param reason for users: what is wrong with the file */
  async fail({ documentId, attempt }: Pick<DocumentEntity, 'documentId' | 'attempt'>, reason: string, at: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      const row = await tx.first(fail, documentId, attempt, reason, at);
      if (!row) return;
      const { organizationId, roomId, sid, title } = row;
      await this.outbox.add(tx, fact(documentFailed, documentId, { organizationId, documentId, roomId, sid, title, reason }));
    });
  }

  /** Marks an unfinished upload as failed. Does nothing if it is complete or deleted by now. */
  failUpload(documentId: string, reason: string, at: Date): Promise<void> {
    return this.fail({ documentId, attempt: 0 }, reason, at);
  }

  /** Makes the document invisible immediately; its objects and its row are deleted later. False if it does not exist. */
  async markDeleted(organizationId: string, roomId: string, documentId: string, at: Date): Promise<boolean> {
    const own = { organizationId, roomId, documentId, deletedAt: IsNull() };
    const { affected } = await this.database.manager.update(DocumentEntity, own, { deletedAt: at, dueAt: null, uploadExpiresAt: null });
    return affected === 1;
  }

  /** `markDeleted` for all documents of a class, or of an organization if `roomId` is null. @returns how many */
  async markAllDeleted(tx: Transaction, organizationId: string, roomId: string | null, at: Date): Promise<number> {
    return (await tx.run(markAllDeleted, organizationId, roomId, at)).length;
  }

  /** Whether any document of the class or the organization is left, also one whose objects are still to be deleted. */
  hasAny(organizationId: string, roomId?: string, { manager }: Pick<Transaction, 'manager'> = this.database): Promise<boolean> {
    return manager.existsBy(DocumentEntity, { organizationId, ...(roomId === undefined ? {} : { roomId }) });
  }

  /** Deleted documents whose objects have to be deleted now. */
  erasable(now: Date, limit: number): Promise<DocumentEntity[]> {
    const where = { deletedAt: Not(IsNull()), uploadExpiresAt: Or(IsNull(), LessThanOrEqual(now)) };
    return this.database.manager.find(DocumentEntity, { where, order: { deletedAt: 'ASC' }, take: limit });
  }

  async scheduleSecondDeletion(documentId: string, at: Date): Promise<void> {
    await this.database.manager.update(DocumentEntity, { documentId, deletedAt: Not(IsNull()) }, { uploadExpiresAt: at });
  }

  async remove(documentId: string): Promise<void> {
    await this.database.manager.delete(DocumentEntity, { documentId, deletedAt: Not(IsNull()) });
  }

  /** How many documents wait or are being converted, and since when the first one that no worker has taken is due. */
  backlog(): Promise<RowOf<typeof backlog> | undefined> {
    return this.database.first(backlog);
  }
}
