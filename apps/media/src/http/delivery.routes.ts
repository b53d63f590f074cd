import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, documentId, videoId } from '@classroom/contracts';
import { Clock, CONFIG } from '@classroom/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MediaConfig } from '../config.js';
import { locateFile, PlayableVideos } from '../delivery/playable-videos.js';
import { captionPlaylist, masterPlaylist } from '../delivery/playlists.js';
import { ShownPages } from '../delivery/shown-pages.js';
import { readKeys, verify, type SigningKey } from '../delivery/signature.js';
import { StoredFiles } from '../delivery/stored-files.js';
import { MediaCors } from './cors.js';

/** `max-age` of content that may change at the same address: captions can be added or replaced. */
const MUTABLE_MAX_AGE_SECONDS = 5;
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** A response before its headers. `read` returns the bytes of a range, both ends included. */
interface Content {
  size: number;
  etag: string;
  lastModified?: Date;
  maxAge: string;
  read(range?: { start: number; end: number }): Promise<Buffer | Readable>;
}

/** Serves signed paths. Anyone who has one may read everything of that video or document until it expires, and nothing else. */
@Injectable()
export class DeliveryRoutes {
  private readonly keys: SigningKey[];

  constructor(
    @Inject(CONFIG) config: MediaConfig,
    private readonly videos: PlayableVideos,
    private readonly pages: ShownPages,
    private readonly files: StoredFiles,
    private readonly cors: MediaCors,
    private readonly clock: Clock,
  ) {
    this.keys = readKeys(config.MEDIA_SIGNING_KEYS);
  }

  register(fastify: FastifyInstance): void {
    fastify.route({
      method: METHODS,
      url: '/v/*',
      exposeHeadRoute: false,
      handler: (request, reply) => this.handle(request, reply),
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // The raw path: decoding would turn an encoded slash into a separator.
    const [, , id = '', token = '', ...rest] = (request.raw.url?.split('?', 1)[0] ?? '').split('/');
    const [isVideo, isDocument] = [videoId.safeParse(id).success, documentId.safeParse(id).success];
    const secondsLeft = isVideo || isDocument ? verify(id, token, this.keys, this.clock.wall()) : undefined;
    if (secondsLeft === undefined) throw new AppError('FORBIDDEN', { message: 'This address is not valid, or not any more' });
    if (await this.cors.answer(request, reply)) return reply;
    if (request.method === 'OPTIONS') {
      reply.header('allow', METHODS.join(', '));
      throw new AppError('METHOD_NOT_ALLOWED');
    }
    const path = rest.join('/');
    const seconds = Math.floor(secondsLeft);
    const content = await (isDocument ? this.findPage(id, path, seconds) : this.findVideo(id, path, seconds));
    if (!content) throw new AppError('NOT_FOUND');
    return this.answer(request, reply.type(contentTypeOf(path)), content);
  }

  private async findVideo(id: string, path: string, secondsLeft: number): Promise<Content | undefined> {
    const video = await this.videos.find(id);
    const located = video && locateFile(video, path);
    if (!located || !video.result) return undefined;
    const mutableMaxAge = `max-age=${Math.min(secondsLeft, MUTABLE_MAX_AGE_SECONDS)}`;
    if (located.kind === 'master') return inMemoryContent(Buffer.from(masterPlaylist(video.result, video.captions)), mutableMaxAge);
    if (located.kind === 'captionPlaylist')
      return inMemoryContent(Buffer.from(captionPlaylist(located.caption, video.result.duration)), mutableMaxAge);
    const { key, isImmutable } = located;
    if (!isImmutable) return inMemoryContent(await this.files.readUncached(key), mutableMaxAge);
    return this.immutable(key, `${id}/${video.attempt}/${path}`, secondsLeft);
  }

  private async findPage(id: string, path: string, secondsLeft: number): Promise<Content | undefined> {
    const key = await this.pages.keyOf(id, path);
    return key === undefined ? undefined : this.immutable(key, key, secondsLeft);
  }

  private async immutable(key: string, version: string, secondsLeft: number): Promise<Content> {
    const file = await this.files.head(key);
    return {
      ...file,
      etag: etagOf(version),
      maxAge: `max-age=${secondsLeft}, immutable`,
      read: (range) => this.files.read(key, file, range),
    };
  }

  private async answer(request: FastifyRequest, reply: FastifyReply, content: Content): Promise<FastifyReply> {
    const { size, etag, lastModified } = content;
    reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': `private, ${content.maxAge}` });
    if (lastModified) reply.header('last-modified', lastModified.toUTCString());
    if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag)) return reply.code(304).send();
    const range = byteRange(ifRangeMatches(request.headers['if-range'], content) ? request.headers.range : undefined, size);
    if (range.kind === 'unsatisfiable') {
      return reply.code(416).header('content-range', `bytes */${size}`).header('content-length', 0).send();
    }
    const isPart = range.kind === 'part' && request.method === 'GET';
    if (isPart) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
    reply.header('content-length', isPart ? range.end - range.start + 1 : size);
    if (request.method === 'HEAD') return reply.send();
    return reply.send(await content.read(isPart ? range : undefined));
  }
}

const etagOf = (text: string | Buffer) => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** Whether `Range` applies: a download is resumed only with the file with which it began (`If-Range`). */
function ifRangeMatches(ifRange: string | string[] | undefined, { etag, lastModified }: Content): boolean {
  return ifRange === undefined || ifRange === etag || (lastModified !== undefined && ifRange === lastModified.toUTCString());
}

const inMemoryContent = (body: Buffer, maxAge: string): Content => ({
  size: body.length,
  etag: etagOf(body),
  maxAge,
  read: async (range) => (range ? body.subarray(range.start, range.end + 1) : body),
});

type RangeAnswer = { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' };

const ONE = /^bytes=(\d*)-(\d*)$/;

/**
 * Parses a single range of RFC 9110; `start` and `end` are both inclusive. Several ranges or an invalid header give the whole file, as
 * the RFC allows.
 */
export function byteRange(header: string | undefined, size: number): RangeAnswer {
  const [found, first = '', last = ''] = ONE.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (!found || (first === '' && last === '')) return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
};

const contentTypeOf = (path: string) => TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
