import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { AppError, roomRpc, roomSid, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';
import { AddressLimit } from '../limits/address-limit.js';

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
  /** The recorder names the LiveKit to which the page connects, possibly at an internal address, so any address is allowed. */
  private readonly recordingPolicy = [
    `default-src 'self'`,
    `connect-src 'self' ws: wss: http: https:`,
    `img-src 'self' data: blob: https: http:`,
    `media-src 'self' blob: mediastream:`,
    `style-src 'self' 'unsafe-inline'`,
    `worker-src 'self' blob:`,
    `base-uri 'none'`,
    `object-src 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
    private readonly limit: AddressLimit,
  ) {
    const livekit = new URL(config.LIVEKIT_PUBLIC_URL);
    const secure = livekit.protocol === 'wss:' || livekit.protocol === 'https:';
    this.mediaOrigins = secure ? `wss://${livekit.host} https://${livekit.host}` : `ws://${livekit.host} http://${livekit.host}`;
  }

  @Get('/r/:sid')
  async page(@Param('sid') sid: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.limit.take('page', request, reply);
    const found = await this.locate(sid);
    const html = await readFile(join(this.config.CLASSROOM_ASSETS, 'index.html'), 'utf8');
    reply.header('content-security-policy', this.policy(found?.organization));
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    reply.header('permissions-policy', 'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self)');
    // An unknown room gets the page too: it explains that the link is invalid.
    await reply
      .code(found ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(found ? withEmbedding(html, found) : html);
  }

  /**
   * The page that a recorder opens: LiveKit Egress as its custom template, the embedded recorder to film it. The token is in the query, as
   * Egress passes it.
   */
  @Get('/recording')
  async recording(@Res() reply: FastifyReply): Promise<void> {
    const html = await readFile(join(this.config.CLASSROOM_ASSETS, 'recording.html'), 'utf8');
    reply.header('content-security-policy', this.recordingPolicy);
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-content-type-options', 'nosniff');
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
    return [
      `default-src 'self'`,
      `connect-src 'self' ${this.mediaOrigins}`,
      `img-src 'self' data: https: http:`,
      `media-src 'self' blob: mediastream:`,
      `style-src 'self' 'unsafe-inline'`,
      `worker-src 'self' blob:`,
      `base-uri 'none'`,
      `object-src 'none'`,
      `form-action 'none'`,
      `frame-ancestors ${domains.length > 0 ? domains.join(' ') : `'self'`}`,
    ].join('; ');
  }
}

/** Adds the sites to which the page may report events. It needs them before it has a session: it also reports an expired link. */
function withEmbedding(html: string, { organization, roomId }: Located): string {
  const embedding = JSON.stringify({ roomId, verifiedDomains: organization.verifiedDomains });
  return html.replace('</head>', () => `<meta name="embedding" content="${escapeAttribute(embedding)}"></head>`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const escapeAttribute = (text: string) => text.replaceAll(/[&"<>]/g, (character) => ENTITIES[character] ?? character);
