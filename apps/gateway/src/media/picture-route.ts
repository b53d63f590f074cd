import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, PICTURES, sealPicture } from '@classroom/platform';
import { AppError, type Organization } from '@classroom/contracts';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { sendError } from '../http/envelope.js';
import type { PictureProxy } from './picture-proxy.js';

@Injectable()
export class ServedPictures {
  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'LIVEKIT_API_SECRET' | 'CLASSROOM_URL'>) {}

  /** Where the gateway serves a picture, so that no browser opens an address that a school chose. */
  addressOf(organizationId: string, address: string | null | undefined): string | null {
    const { LIVEKIT_API_SECRET, CLASSROOM_URL } = this.config;
    return address ? new URL(sealPicture(LIVEKIT_API_SECRET, organizationId, address), CLASSROOM_URL).href : null;
  }

  /** An organization's logo and colors, as its staff sees them. */
  brandingOf({ organizationId, branding }: Pick<Organization, 'organizationId' | 'branding'>) {
    return { ...branding, servedLogoUrl: this.addressOf(organizationId, branding.logoUrl) };
  }
}

const SHOWN = 'private, max-age=3600';
const FIXED = 'public, max-age=31536000, immutable';
const MISSING = 'private, max-age=60';

/** Serves photos and logos at sealed paths. No credential is needed, because an `<img>` sends none: only who has the path can ask for it. */
export function registerPictures(fastify: FastifyInstance, pictures: PictureProxy): void {
  // A parameter of the router may not be as long as a sealed address.
  fastify.get<{ Params: { '*': string } }>(`${PICTURES}*`, async (request, reply) => {
    reply.header('content-security-policy', `default-src 'none'; sandbox`);
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.header('referrer-policy', 'no-referrer');
    try {
      const { type, body, isFixed } = await pictures.find(request.params['*']);
      return await reply
        .header('cache-control', isFixed ? FIXED : SHOWN)
        .type(type)
        .send(body);
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === 'NOT_FOUND';
      reply.header('cache-control', isMissing ? MISSING : 'no-store');
      return sendError(request, reply, error);
    }
  });
}
