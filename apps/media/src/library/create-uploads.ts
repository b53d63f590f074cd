import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  createDocument,
  createVideo,
  invalidField,
  OFFICE_TYPES,
  roomRpc,
  type DOCUMENT_TYPES,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { ADDRESS_REASONS, AddressRefused, Clock, CONFIG, failpoint, Outbound, requireAllowedAddress } from '@classroom/platform';
import { locateProgram } from '@classroom/sandbox';
import type { MediaConfig } from '../config.js';
import { documentSourceOf, sourceKeyOf } from '../stored/object-keys.js';
import { DocumentsRepository, type NewDocument } from '../stored/documents.repository.js';
import { VideoQuotas } from '../stored/video-quotas.js';
import { VideosRepository } from '../stored/videos.repository.js';
import { UploadStore } from '../uploads/upload-store.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, all equally likely: bytes beyond a multiple of the alphabet's length are discarded. */
function random(length: number): string {
  const limit = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < limit && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

export const newVideoId = () => `vid_${random(20)}`;
const newDocumentId = () => `doc_${random(20)}`;
export const newBoardFileId = () => `board_${random(20)}`;
/** Unguessable: an upload needs no other credential. */
const newUploadId = () => random(32);

/** Time in which an upload must be finished. */
const UPLOAD_MS = 24 * 3_600_000;

@Injectable()
export class CreateVideo {
  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly quotas: VideoQuotas,
    private readonly videos: VideosRepository,
    private readonly store: UploadStore,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError QUOTA_EXCEEDED, SERVICE_UNAVAILABLE if the storage is unreachable; nothing is kept then */
  @Handles(createVideo)
  async execute(input: RpcInput<typeof createVideo>): Promise<RpcOutput<typeof createVideo>> {
    const now = this.clock.now();
    const video = {
      ...input,
      videoId: newVideoId(),
      uploadId: newUploadId(),
      uploadExpiresAt: new Date(now.getTime() + UPLOAD_MS),
      recordingId: null,
      createdAt: now,
    };
    await this.quotas.insert(video, 'size');
    await failpoint('media.create.before-store');
    try {
      await this.store.open(sourceKeyOf(video), video.size);
    } catch (cause) {
      await this.videos.discard(video.videoId);
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
    return { videoId: video.videoId, upload: toUpload(this.config, video) };
  }
}

/** An upload as its creator gets it. */
const toUpload = (
  { MEDIA_URL }: Pick<MediaConfig, 'MEDIA_URL'>,
  { uploadId, uploadExpiresAt }: { uploadId: string; uploadExpiresAt: Date },
): RpcOutput<typeof createVideo>['upload'] => ({
  protocol: 'tus',
  url: `${MEDIA_URL.replace(/\/+$/, '')}/uploads/${uploadId}`,
  expiresAt: uploadExpiresAt.toISOString(),
});

/** Time in which a file must be loaded from its address. */
const LOADING_MS = 15 * 60_000;
const NO_OFFICE = 'is a presentation, for which this installation has no LibreOffice: export it as PDF';

@Injectable()
export class CreateDocument {
  /** Whether LibreOffice is installed, as in the workers, which have the same image. */
  private readonly hasOffice: Promise<boolean>;

  constructor(
    @Inject(CONFIG) private readonly config: MediaConfig,
    private readonly quotas: VideoQuotas,
    private readonly documents: DocumentsRepository,
    private readonly store: UploadStore,
    private readonly outbound: Outbound,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {
    this.hasOffice = locateProgram(config.SOFFICE_PATH, config.PATH).then(
      () => true,
      () => false,
    );
  }

  /**
   * @throws AppError VALIDATION_FAILED, ROOM_NOT_FOUND, ROOM_ENDED, DOCUMENT_TYPE_UNSUPPORTED, QUOTA_EXCEEDED, TOO_MANY_DOCUMENTS, SERVICE_UNAVAILABLE;
   * nothing is kept then
   */
  @Handles(createDocument)
  async execute(input: RpcInput<typeof createDocument>): Promise<RpcOutput<typeof createDocument>> {
    const { organizationId, roomId, title, size = 0, contentType, url } = input;
    if (contentType) await this.requireConvertible(contentType);
    if (url !== undefined) await this.requireAllowed(url);
    const { sid, state } = await this.rpc.call(roomRpc.describe, { organizationId, roomId });
    if (state === 'finished') throw new AppError('ROOM_ENDED');
    const now = this.clock.now();
    const document = { documentId: newDocumentId(), organizationId, roomId, sid, title, size, createdAt: now };
    if (url !== undefined) {
      const uploadExpiresAt = new Date(now.getTime() + LOADING_MS);
      await this.insert({ ...document, sourceUrl: url, uploadId: null, uploadExpiresAt, dueAt: this.clock.wall() });
      return { documentId: document.documentId, upload: null };
    }
    const upload = { uploadId: newUploadId(), uploadExpiresAt: new Date(now.getTime() + UPLOAD_MS) };
    await this.insert({ ...document, ...upload, sourceUrl: null, dueAt: null });
    try {
      await this.store.open(documentSourceOf(document), size);
    } catch (cause) {
      await this.documents.discard(document.documentId);
      throw new AppError('SERVICE_UNAVAILABLE', { cause });
    }
    return { documentId: document.documentId, upload: toUpload(this.config, upload) };
  }

  private async insert(document: NewDocument): Promise<void> {
    const { organizationId, size } = document;
    const isInserted = await this.quotas.within(organizationId, size, 'size', (tx) => this.documents.insert(tx, document));
    if (!isInserted) throw new AppError('TOO_MANY_DOCUMENTS');
  }

  private async requireConvertible(contentType: (typeof DOCUMENT_TYPES)[number]): Promise<void> {
    if (!OFFICE_TYPES.some((type) => type === contentType) || (await this.hasOffice)) return;
    throw new AppError('DOCUMENT_TYPE_UNSUPPORTED', { details: [{ path: 'contentType', message: NO_OFFICE }] });
  }

  private async requireAllowed(url: string): Promise<void> {
    try {
      await requireAllowedAddress(this.outbound, url);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      throw invalidField('url', ADDRESS_REASONS[error.reason], error);
    }
  }
}
