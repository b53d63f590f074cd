import { Controller, Get, Inject, Res } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { ClassPages } from '../http/class-pages.js';

/** A page that plays a signed address. Any site may embed it, because it shows no more than that address allows. */
@Controller()
export class PlayerController {
  private readonly policy: string;

  constructor(
    @Inject(CONFIG) { MEDIA_URL: mediaUrl }: GatewayConfig,
    private readonly pages: ClassPages,
  ) {
    const media = mediaUrl ? ` ${new URL(mediaUrl).origin}` : '';
    this.policy = [
      `default-src 'self'`,
      `connect-src 'self'${media} blob:`,
      // hls.js adds an empty `data:` track to the video before the captions load.
      `media-src 'self'${media} blob: data:`,
      `img-src 'self'${media} data: blob:`,
      `style-src 'self'`,
      `worker-src 'self' blob:`,
      `base-uri 'none'`,
      `object-src 'none'`,
      `form-action 'none'`,
      `frame-ancestors *`,
    ].join('; ');
  }

  @Get('/player')
  async player(@Res() reply: FastifyReply): Promise<void> {
    const html = await this.pages.read('player');
    reply.header('content-security-policy', this.policy);
    // The page's address contains the signed address.
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-cache');
    await reply.type('text/html; charset=utf-8').send(html);
  }
}
