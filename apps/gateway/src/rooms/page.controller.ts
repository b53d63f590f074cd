import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { AppError, boardRpc, getBoard, getDocument, roomRpc, roomSid, validationError, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG, signFilmToken, verifyFilmToken } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';
import { ClassPages } from '../http/class-pages.js';
import { success } from '../http/endpoint.js';
import { withMeta } from '../http/pages.js';
import { AddressLimit } from '../limits/rate-limit.js';

interface Located {
  organization: Organization;
  roomId: string;
}

/**
 * Serves the shell of the class page. The page of a known room differs only in the sites that may frame it: the browser needs them in a
 * header before the page runs, the page itself in a meta element.
 */
@Controller()
export class PageController {
  private readonly mediaOrigins: string;
  private readonly recordingPolicy: string;
  /** Where slides come from, and files go to. */
  private readonly filesOrigin: string;

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly pages: ClassPages,
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
    private readonly limit: AddressLimit,
  ) {
    const { LIVEKIT_PUBLIC_URL, EGRESS_LIVEKIT_URL, MEDIA_URL } = config;
    // The page connects to the address in its query: only a LiveKit of this deployment may be there, so that a forged link shows nothing.
    this.mediaOrigins = originsOf(LIVEKIT_PUBLIC_URL);
    this.filesOrigin = MEDIA_URL ? ` ${new URL(MEDIA_URL).origin}` : '';
    // It also loads the pictures of documents that lie on the board.
    const recordedFrom = [
      this.mediaOrigins,
      ...(EGRESS_LIVEKIT_URL ? [originsOf(EGRESS_LIVEKIT_URL)] : []),
      ...(MEDIA_URL ? [new URL(MEDIA_URL).origin] : []),
    ];
    this.recordingPolicy = policyOf({ connect: recordedFrom.join(' '), images: 'data: blob:', ancestors: `'none'` });
  }

  @Get('/r/:sid')
  async page(@Param('sid') sid: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit.take('page', request, reply);
    const found = await this.locate(sid);
    const html = await this.pages.read('index');
    reply.header('content-security-policy', this.policy(found?.organization));
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-store');
    reply.header('permissions-policy', 'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self)');
    // An unknown room gets the page too: it explains that the link is invalid.
    await reply
      .code(found ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(found ? withEmbedding(html, found) : html);
  }

  /**
   * The page that a recorder opens: LiveKit Egress as its custom template, the embedded recorder to film it. LiveKit's token is in the query, as
   * Egress passes it.
   */
  @Get('/recording')
  async recording(@Res() reply: FastifyReply): Promise<void> {
    const html = await this.pages.read('recording');
    reply.header('content-security-policy', this.recordingPolicy);
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-store');
    await reply.type('text/html; charset=utf-8').send(html);
  }

  private async locate(sid: string): Promise<Located | undefined> {
    if (!roomSid.safeParse(sid).success) return undefined;
    try {
      const { organizationId, roomId } = await this.rpc.call(roomRpc.locate, { sid });
      const organization = await this.organizations.find(organizationId);
      return organization && { organization, roomId };
    } catch (error) {
      if (error instanceof AppError && error.code === 'ROOM_NOT_FOUND') return undefined;
      throw error;
    }
  }

  private policy(organization: Organization | undefined): string {
    const domains = organization?.verifiedDomains ?? [];
    const ancestors = domains.length > 0 ? domains.join(' ') : `'self'`;
    return policyOf({ connect: `${this.mediaOrigins}${this.filesOrigin}`, images: `data:${this.filesOrigin}`, ancestors });
  }
}

/** The Content-Security-Policy of a page that loads everything from its own origin, photos and logos too, and may also connect to `connect`. */
const policyOf = ({ connect, images, ancestors }: Record<'connect' | 'images' | 'ancestors', string>) =>
  [
    `default-src 'self'`,
    // WebAssembly alone: the page blurs backgrounds with it.
    `script-src 'self' 'wasm-unsafe-eval'`,
    `connect-src 'self' ${connect}`,
    `img-src 'self' ${images}`,
    `media-src 'self' blob: mediastream:`,
    `style-src 'self'`,
    `worker-src 'self' blob:`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `form-action 'none'`,
    `frame-ancestors ${ancestors}`,
  ].join('; ');

/** Of LiveKit's signalling and of its HTTP API, which the client asks for regions. */
function originsOf(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === 'wss:' || protocol === 'https:' ? `wss://${host} https://${host}` : `ws://${host} http://${host}`;
}

/** Adds the sites to which the page may report events. It needs them before it has a session: it also reports an expired link. */
function withEmbedding(html: string, { organization, roomId }: Located): string {
  return withMeta(html, 'embedding', { roomId, verifiedDomains: organization.verifiedDomains });
}

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/;
/** Characters. */
const MAX_BEARER = 1024;

/**
 * What the recording page films in addition to LiveKit's pictures. No participant calls this: the token of the page's address says which class it
 * films (ADR 85), and each answer about the board renews it.
 */
@Controller('/recording')
export class FilmController {
  private readonly secrets: readonly string[];

  constructor(
    @Inject(CONFIG) { LIVEKIT_API_SECRET, LIVEKIT_OTHER_KEYS }: GatewayConfig,
    private readonly rpc: RpcClient,
  ) {
    this.secrets = [LIVEKIT_API_SECRET, ...LIVEKIT_OTHER_KEYS.map(({ secret }) => secret)];
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Get('/board')
  async board(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const sid = this.classOf(request);
    const { after } = parsed(getBoard.query, request.query);
    const update = await this.rpc.call(boardRpc.filmed, { sid, after });
    reply.header('cache-control', 'no-store');
    return success({ ...update, token: signFilmToken(this.secrets[0] ?? '', sid) });
  }

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED, DOCUMENT_NOT_FOUND */
  @Get('/documents/:documentId')
  async document(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const sid = this.classOf(request);
    const { documentId } = parsed(getDocument.params.pick({ documentId: true }), request.params);
    const { after } = parsed(getDocument.query, request.query);
    reply.header('cache-control', 'no-store');
    return success(await this.rpc.call(boardRpc.filmedDocument, { sid, documentId, after }));
  }

  /** @throws AppError UNAUTHORIZED */
  private classOf({ headers: { authorization = '' } }: FastifyRequest): string {
    const token = authorization.length <= MAX_BEARER ? BEARER.exec(authorization)?.[1] : undefined;
    try {
      return verifyFilmToken(this.secrets, token ?? '');
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}

/** @throws AppError VALIDATION_FAILED */
function parsed<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const { success: isValid, data, error } = schema.safeParse(given);
  if (!isValid) throw validationError(error);
  return data;
}
