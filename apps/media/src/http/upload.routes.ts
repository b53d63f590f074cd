import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AppError, invalidField } from '@classroom/contracts';
import { Clock, logger } from '@classroom/platform';
import { isStorageFull, STORAGE_FULL } from '@classroom/storage';
import { ERRORS, Server, TUS_RESUMABLE } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FinishUpload } from '../uploads/finish-upload.js';
import { UploadSlots } from '../uploads/upload-slots.js';
import { UploadsRepository, type Upload } from '../uploads/uploads.repository.js';
import { UploadStore } from '../uploads/upload-store.js';
import { isPreflight, MediaCors } from './cors.js';

const UPLOAD_ID = /^[A-Za-z0-9]{32}$/;
/**
 * Parallel uploads of a process, and of one organization; tus clients repeat the next one. Each holds at most three parts: 1.5 GiB of memory if all
 * are busy.
 */
const SLOTS = { total: 64, perOrganization: 16 };
/** An upload that sends fewer bytes in this time ends: its slot is for others. The received bytes are stored, and the client continues. */
const MIN_BYTES = 64 * 1024;
const STALL_MS = 60_000;
const METHODS = ['HEAD', 'PATCH', 'OPTIONS'];

/** For networks that permit only GET and POST: the method that `X-HTTP-Method-Override` of a POST names. */
const OVERRIDDEN = ['HEAD', 'PATCH'];

type Handled = { Params: { uploadId: string } };

/** tus 1.0 for uploads that the API created: HEAD returns the offset, PATCH appends bytes. */
@Injectable()
export class UploadRoutes {
  private readonly tus: Server;
  private readonly uploadOf = new WeakMap<IncomingMessage, Upload>();
  private readonly sending = new Set<IncomingMessage>();
  private readonly slots = new UploadSlots(SLOTS);

  constructor(
    private readonly uploads: UploadsRepository,
    private readonly store: UploadStore,
    private readonly finishUpload: FinishUpload,
    private readonly cors: MediaCors,
    private readonly clock: Clock,
  ) {
    const rowOf = (request: { runtime?: { node?: { req?: unknown } } }) => this.uploadOf.get(request.runtime?.node?.req as IncomingMessage);
    this.tus = new Server({
      path: '/uploads',
      datastore: store,
      // Cross-origin headers are set earlier, by rules that have to query the organization service.
      allowedOrigins: () => false,
      getFileIdFromRequest: (request) => rowOf(request)?.key,
      onUploadFinish: async (request) => {
        const upload = rowOf(request);
        if (upload) await this.finishUpload.execute(upload);
        return {};
      },
      onResponseError: (_, error) => failureOf(error),
    });
  }

  register(fastify: FastifyInstance): void {
    fastify.route<Handled>({ method: METHODS, url: '/uploads/:uploadId', handler: (request, reply) => this.handle(request, reply) });
    fastify.route<Handled>({
      method: 'POST',
      url: '/uploads/:uploadId',
      handler: (request, reply) => {
        const method = String(request.headers['x-http-method-override']).toUpperCase();
        if (!OVERRIDDEN.includes(method)) return refuseMethod(request, reply);
        request.raw.method = method;
        return this.handle(request, reply);
      },
    });
    fastify.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url: '/uploads/*', handler: refuseMethod });
  }

  /** Ends requests in progress: the received bytes are stored, and the client gets the new offset. */
  drain(): void {
    for (const request of this.sending) end(request, 'draining');
  }

  private async handle(request: FastifyRequest<Handled>, reply: FastifyReply): Promise<void> {
    reply.header('tus-resumable', TUS_RESUMABLE);
    const isOptions = request.method === 'OPTIONS';
    if (isOptions && !isPreflight(request)) return this.pass(request, reply);
    const { uploadId } = request.params;
    const upload = UPLOAD_ID.test(uploadId) ? await this.uploads.find(uploadId) : undefined;
    if (!upload) throw new AppError('NOT_FOUND', { message: 'Upload not found' });
    if (await this.cors.answer(request, reply)) return;
    if (isOptions) return this.pass(request, reply);
    if (request.headers['tus-resumable'] !== TUS_RESUMABLE) return refuseVersion(reply);
    if (request.method === 'PATCH' && request.headers['upload-offset'] === undefined) throw invalidField('Upload-Offset', 'is required');
    if (upload.status !== 'uploading') return this.answerEnded(upload, request, reply);
    if (!upload.uploadExpiresAt || upload.uploadExpiresAt <= this.clock.now()) return gone(reply);
    if (request.method === 'HEAD' && (await this.isFinished(upload))) return this.answerEnded(upload, request, reply);
    reply.header('upload-expires', upload.uploadExpiresAt.toUTCString());
    this.uploadOf.set(request.raw, upload);
    return request.method === 'PATCH' ? this.receive(upload, request, reply) : this.pass(request, reply);
  }

  private async receive({ organizationId }: Upload, request: FastifyRequest<Handled>, reply: FastifyReply): Promise<void> {
    const release = this.slots.take(organizationId);
    if (!release) throw new AppError('SERVICE_UNAVAILABLE');
    const { raw } = request;
    const stalled = onStall(raw.socket, STALL_MS, () => end(raw, 'stalled'));
    // A body may be ended twice; the library listens once.
    raw.on('error', () => undefined);
    this.sending.add(raw);
    try {
      await this.pass(request, reply);
    } finally {
      clearInterval(stalled);
      this.sending.delete(raw);
      release();
    }
  }

  private async pass(request: FastifyRequest<Handled>, reply: FastifyReply): Promise<void> {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    await this.tus.handle(request.raw, reply.raw);
  }

  /** True if all bytes are stored. Then it also finishes the upload, in case no process has done so yet. */
  private async isFinished(upload: Upload): Promise<boolean> {
    try {
      const { offset, size } = await this.store.getUpload(upload.key);
      if (offset !== size) return false;
      await this.finishUpload.execute(upload);
      return true;
    } catch (error) {
      if ((error as Partial<TusError>).status_code === 404) throw new AppError('NOT_FOUND', { message: 'Upload not found' });
      throw error instanceof AppError ? error : new AppError('SERVICE_UNAVAILABLE', { cause: error });
    }
  }

  private async answerEnded(upload: Upload, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (upload.attempt === 0 && upload.status === 'failed') return gone(reply);
    reply.headers({ 'upload-offset': upload.size, 'upload-length': upload.size, 'cache-control': 'no-store' });
    await reply.code(request.method === 'HEAD' ? 200 : statusOfMore(upload, request)).send();
  }
}

/**
 * Ends a body. This is the same error as a client's disconnect, the only end of a body that tus stores. Here the client still receives the
 * response, and may still be sending: Node's adapter to a web stream throws at bytes after an error, so it gets none.
 */
function end(request: IncomingMessage, reason: string): void {
  request.removeAllListeners('data');
  request.emit('error', new Error(reason));
}

/** Calls `ended` if the socket receives less than `MIN_BYTES` in `intervalMs`. */
function onStall(socket: Socket, intervalMs: number, ended: () => void): NodeJS.Timeout {
  let before = socket.bytesRead;
  return setInterval(() => {
    if (socket.bytesRead - before < MIN_BYTES) ended();
    before = socket.bytesRead;
  }, intervalMs);
}

/** Status of a PATCH after the upload has all its bytes: 204 for the last offset without bytes, 413 with more bytes, otherwise 409. */
function statusOfMore({ size }: Upload, { headers }: FastifyRequest): number {
  if (headers['upload-offset'] !== String(size)) return 409;
  const hasMore = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return hasMore ? 413 : 204;
}

function refuseMethod(_: FastifyRequest, reply: FastifyReply): never {
  reply.header('allow', METHODS.join(', '));
  throw new AppError('METHOD_NOT_ALLOWED');
}

async function refuseVersion(reply: FastifyReply): Promise<void> {
  const message = `Tus-Resumable must be ${TUS_RESUMABLE}`;
  await reply.code(412).header('tus-version', TUS_RESUMABLE).send({ success: false, message, error: 'VALIDATION_FAILED' });
}

async function gone(reply: FastifyReply): Promise<void> {
  await reply.code(410).send({ success: false, message: 'The upload was not finished in time', error: 'NOT_FOUND' });
}

interface TusError {
  status_code: number;
  body: string;
}

/** The protocol's own error, otherwise one that the client may retry: 507 if the storage is full, else 503. */
function failureOf(error: Error | TusError): TusError {
  // Interrupted by another request for the same upload, or by a shutdown. After a 400 the client would give up.
  if (error === ERRORS.ABORTED) return { status_code: 503, body: 'Interrupted; ask for the offset and continue\n' };
  if ('status_code' in error) return error;
  logger.warn({ err: error }, 'upload could not continue');
  if (isStorageFull(error)) return { status_code: 507, body: `${STORAGE_FULL}\n` };
  return { status_code: 503, body: 'The storage cannot be reached; try again shortly\n' };
}
