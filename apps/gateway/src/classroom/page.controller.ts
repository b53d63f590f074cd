import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { AppError, roomRpc, roomSid, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import { OrganizationDirectory } from '../authentication/organization-directory.js';
import type { GatewayConfig } from '../config.js';

/**
 * The page's shell. The same for every room but for one header: who may frame it, which the browser has to know before
 * the page runs.
 */
@Controller()
export class PageController {
  private readonly mediaOrigins: string;

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly rpc: RpcClient,
    private readonly organizations: OrganizationDirectory,
  ) {
    const livekit = new URL(config.LIVEKIT_PUBLIC_URL);
    const secure = livekit.protocol === 'wss:' || livekit.protocol === 'https:';
    this.mediaOrigins = secure ? `wss://${livekit.host} https://${livekit.host}` : `ws://${livekit.host} http://${livekit.host}`;
  }

  @Get('/r/:sid')
  async page(@Param('sid') sid: string, @Res() reply: FastifyReply): Promise<void> {
    const organization = await this.organizationOf(sid);
    const html = await readFile(join(this.config.CLASSROOM_ASSETS, 'index.html'), 'utf8');
    reply.header('content-security-policy', this.policy(organization));
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    reply.header('permissions-policy', 'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self)');
    // An unknown room gets the page too: it says in words that the link leads nowhere.
    await reply.code(organization ? 200 : 404).type('text/html; charset=utf-8').send(html);
  }

  private async organizationOf(sid: string): Promise<Organization | undefined> {
    if (!roomSid.safeParse(sid).success) return undefined;
    try {
      const { organizationId } = await this.rpc.call(roomRpc.locate, { sid });
      return await this.organizations.find(organizationId);
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
