import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';

/** A page that plays a signed address. Any site may embed it, because it shows no more than that address allows. */
@Controller()
export class PlayerController {
  private readonly policy: string;

  constructor(@Inject(CONFIG) private readonly config: GatewayConfig) {
    const media = config.MEDIA_URL ? ` ${new URL(config.MEDIA_URL).origin}` : '';
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
    const html = await readFile(join(this.config.CLASSROOM_ASSETS, 'player.html'), 'utf8');
    reply.header('content-security-policy', this.policy);
    // The page's address contains the signed address.
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cache-control', 'no-cache');
    await reply.type('text/html; charset=utf-8').send(html);
  }
}
