import { Inject, Injectable } from '@nestjs/common';
import { Clock, CONFIG } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import type { TranscodingResult } from '../schema/transcoding-result.js';
import { readKeys, sign } from './signature.js';

const TTL_SECONDS = 3_600;

/** Signs playback addresses. Anyone who has one may play the video for an hour. */
@Injectable()
export class PlaybackUrls {
  private readonly root: string;
  private readonly key;

  constructor(
    @Inject(CONFIG) config: MediaConfig,
    private readonly clock: Clock,
  ) {
    this.root = config.MEDIA_URL.replace(/\/+$/, '');
    [this.key] = readKeys(config.MEDIA_SIGNING_KEYS);
  }

  of(videoId: string, { type, entry, poster }: TranscodingResult): { url: string; posterUrl: string | null } {
    // Real time, because a CDN in front compares it with its own clock.
    const expires = Math.ceil(this.clock.wall().getTime() / 1000) + TTL_SECONDS;
    const prefix = `${this.root}/v/${videoId}/${sign(videoId, expires, this.key)}`;
    return { url: `${prefix}/${type === 'hls' ? 'master.m3u8' : entry}`, posterUrl: poster === null ? null : `${prefix}/poster.jpg` };
  }
}
