import { Injectable } from '@nestjs/common';
import {
  AppError,
  documentRpc,
  getDocument,
  listDocuments,
  MAX_DOCUMENT_PAGES,
  roomRpc,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { PlaybackUrls } from '../delivery/signature.js';
import { DocumentPagesRepository, type DocumentPage } from '../stored/document-pages.repository.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import { pagePathOf, WIDTHS } from '../stored/object-keys.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import { toPublicStatus } from './list-videos.js';

/** The documents of a class, for those who show them and for the tutor. */
@Injectable()
export class ShowDocuments {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly documentPages: DocumentPagesRepository,
    private readonly urls: PlaybackUrls,
    private readonly rpc: RpcClient,
  ) {}

  /** Oldest first. @throws AppError ROOM_NOT_FOUND */
  @Handles(listDocuments)
  async list({ organizationId, roomId }: RpcInput<typeof listDocuments>): Promise<RpcOutput<typeof listDocuments>> {
    const rows = await this.documents.ofClass(organizationId, roomId);
    if (rows.length === 0) await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    return { documents: rows.map((row) => ({ ...shown(row), pages: row.pages, createdAt: row.createdAt.toISOString() })) };
  }

  /** @throws AppError DOCUMENT_NOT_FOUND */
  @Handles(getDocument)
  async get({ organizationId, roomId, documentId, after }: RpcInput<typeof getDocument>): Promise<RpcOutput<typeof getDocument>> {
    const row = await this.documents.findOwned(organizationId, roomId, documentId);
    if (!row) throw new AppError('DOCUMENT_NOT_FOUND');
    const prefix = this.urls.prefixOf(documentId);
    const all = (await this.documentPages.after(documentId, after, MAX_DOCUMENT_PAGES)).map((page) => toPage(page, prefix));
    const pages = fitMessage(all);
    return { ...shown(row), pages, nextAfter: pages.length < all.length ? (pages.at(-1)?.page ?? null) : null };
  }

  /** @throws AppError DOCUMENT_NOT_FOUND */
  @Handles(documentRpc.pages)
  async pages({ organizationId, roomId, documentId }: RpcInput<typeof documentRpc.pages>): Promise<RpcOutput<typeof documentRpc.pages>> {
    const row = await this.documents.findOwned(organizationId, roomId, documentId);
    if (!row) throw new AppError('DOCUMENT_NOT_FOUND');
    return { pages: row.pages };
  }

  /** @throws AppError DOCUMENT_NOT_FOUND */
  @Handles(documentRpc.filmed)
  async filmed(input: RpcInput<typeof documentRpc.filmed>): Promise<RpcOutput<typeof documentRpc.filmed>> {
    const { pages } = await this.get(input);
    return { pages: pages.map(({ page, url }) => ({ page, url })) };
  }

  @Handles(documentRpc.texts)
  async texts({ organizationId, roomId }: RpcInput<typeof documentRpc.texts>): Promise<RpcOutput<typeof documentRpc.texts>> {
    return { pages: fitMessage(await this.documentPages.texts(organizationId, roomId, MAX_DOCUMENT_PAGES)) };
  }
}

const shown = (row: DocumentEntity) => ({
  documentId: row.documentId,
  title: row.title,
  status: toPublicStatus(row),
  message: row.message,
});

const toPage = ({ page, width, height, text }: DocumentPage, prefix: string): RpcOutput<typeof getDocument>['pages'][number] => {
  const [url, previewUrl] = WIDTHS.map((one) => `${prefix}/${pagePathOf(page, one)}`) as [string, string];
  return { page, width, height, url, previewUrl, ...(text === '' ? {} : { text }) };
};
