import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, sealPicture } from '@classroom/platform';
import type { GatewayConfig } from '../config.js';

@Injectable()
export class ServedPictures {
  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'LIVEKIT_API_SECRET' | 'CLASSROOM_URL'>) {}

  /** Where the gateway serves a picture, so that no browser opens an address that a school chose. */
  addressOf(organizationId: string, address: string | null | undefined): string | null {
    const { LIVEKIT_API_SECRET, CLASSROOM_URL } = this.config;
    return address ? new URL(sealPicture(LIVEKIT_API_SECRET, organizationId, address), CLASSROOM_URL).href : null;
  }
}
