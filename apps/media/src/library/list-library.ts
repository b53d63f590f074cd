import { Injectable } from '@nestjs/common';
import {
  AppError,
  documentRpc,
  getDocument,
  getVideoStatus,
  getVideoUrl,
  listDocuments,
  listVideos,
  MAX_DOCUMENT_PAGES,
  roomRpc,
  videoId,
  type RpcInput,
  type RpcOutput,
  type video,
  type VideoStatus,
} from '@classroom/contracts';
import { fitMessage, Handles, RpcClient } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import type { z } from 'zod';
import { PlaybackUrls } from '../delivery/signature.js';
import type { DocumentEntity } from '../schema/document.entity.js';
import type { VideoEntity } from '../schema/video.entity.js';
import { DocumentPagesRepository, type DocumentPage } from '../stored/document-pages.repository.js';
import { DocumentsRepository } from '../stored/documents.repository.js';
import { pagePathOf, WIDTHS } from '../stored/object-keys.js';
import { VideoQuotas } from '../stored/video-quotas.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { LibraryRepository } from './library.repository.js';

/** The message for a video that cannot be played yet. */
const PENDING_MESSAGES: Partial<Record<VideoEntity['status'], string>> = {
  uploading: 'The upload is not finished',
  pending: 'The video waits for its transcoding',
  processing: 'The video is being transcoded',
};

@Injectable()
export class DescribeVideo {
  constructor(
    private readonly videos: VideosRepository,
    private readonly urls: PlaybackUrls,
  ) {}

  /** @throws AppError VIDEO_NOT_FOUND */
  @Handles(getVideoUrl)
  async url(input: RpcInput<typeof getVideoUrl>) {
    const video = await this.find(input);
    const status = toPublicStatus(video);
    if (!video.result) return { type: null, url: null, posterUrl: null, status, ...messageOf(video) };
    return { type: video.result.type, ...this.urls.of(video.videoId, video.result), status };
  }

  /** @throws AppError VIDEO_NOT_FOUND */
  @Handles(getVideoStatus)
  async status(input: RpcInput<typeof getVideoStatus>) {
    return toProgress(await this.find(input));
  }

  private async find({ organizationId, videoId }: RpcInput<typeof getVideoStatus>): Promise<VideoEntity> {
    const video = await this.videos.findOwned(organizationId, videoId);
    if (!video) throw new AppError('VIDEO_NOT_FOUND');
    return video;
  }
}

export const toProgress = (video: VideoEntity): RpcOutput<typeof getVideoStatus> => ({
  videoId: video.videoId,
  status: toPublicStatus(video),
  progress: video.progress,
  createdAt: video.createdAt.toISOString(),
  ...messageOf(video),
});

function messageOf(video: VideoEntity): { message?: string } {
  const message = video.message ?? PENDING_MESSAGES[video.status];
  return message === undefined ? {} : { message };
}

/** The status as the API shows it. */
const toPublicStatus = ({ status }: Pick<VideoEntity, 'status'>): VideoStatus => (status === 'uploading' ? 'pending' : status);

const cursors = pageCursor(videoId);

@Injectable()
export class ListVideos {
  constructor(
    private readonly library: LibraryRepository,
    private readonly quotas: VideoQuotas,
  ) {}

  /** Newest first. @throws AppError VALIDATION_FAILED if the cursor is not one that this service returned */
  @Handles(listVideos)
  async execute({ organizationId, cursor, limit }: RpcInput<typeof listVideos>) {
    const rows = await this.library.page(organizationId, cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      videos: page.map(toVideo),
      nextCursor: rows.length > limit && last ? cursors.encode({ createdAt: last.createdAt, id: last.videoId }) : null,
      ...(cursor === undefined && { usage: await this.quotas.usage(organizationId) }),
    };
  }
}

const toVideo = (row: VideoEntity): z.infer<typeof video> => ({
  videoId: row.videoId,
  title: row.title,
  fileName: row.fileName,
  size: row.size,
  status: toPublicStatus(row),
  progress: row.progress,
  type: row.result?.type ?? null,
  duration: row.duration,
  createdAt: row.createdAt.toISOString(),
  ...(row.message === null ? {} : { message: row.message }),
});

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
