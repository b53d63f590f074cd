import { Injectable } from '@nestjs/common';
import { columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { DocumentPageEntity } from '../schema/document-page.entity.js';
import { sql } from '../schema/sql.js';

const insert = sql(
  'document-pages.insert',
  `INSERT INTO document_pages (document_id, page, width, height, text)
   SELECT :documentId, t.* FROM unnest(:page::int[], :width::int[], :height::int[], :text::text[]) t`,
);

const after = sql(
  'document-pages.after',
  `SELECT ${columnsOf(DocumentPageEntity, { except: ['documentId'] })} FROM document_pages WHERE document_id = $1 AND page > $2 ORDER BY page LIMIT $3`,
);

const texts = sql(
  'document-pages.texts',
  `SELECT d.title, p.page, p.text FROM documents d JOIN document_pages p ON p.document_id = d.document_id
    WHERE d.organization_id = $1 AND d.room_id = $2 AND d.status = 'completed' AND d.deleted_at IS NULL AND p.text <> ''
    ORDER BY d.created_at, d.document_id, p.page LIMIT $3`,
);

export type DocumentPage = RowOf<typeof after>;

@Injectable()
export class DocumentPagesRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, documentId: string, pages: readonly DocumentPage[]): Promise<void> {
    await tx.run(insert, { documentId, ...namedArraysOf(pages, 'page', 'width', 'height', 'text') });
  }

  /** Pages behind the page `page`, in order. */
  after(documentId: string, page: number, limit: number): Promise<DocumentPage[]> {
    return this.database.run(after, documentId, page, limit);
  }

  /** Pages with text of the documents of a class, the oldest document first. */
  texts(organizationId: string, roomId: string, limit: number): Promise<RowOf<typeof texts>[]> {
    return this.database.run(texts, organizationId, roomId, limit);
  }
}
