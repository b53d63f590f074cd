import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock, CONFIG } from '@classroom/platform';
import type { MediaConfig } from '../config.js';
import type { TranscodingResult } from '../schema/video.entity.js';

export interface SigningKey {
  id: string;
  secret: string;
}

/** `<expires, base36>.<key id>.<signature, base64url>`. Each number and each signature has only one valid spelling. */
const TOKEN = /^([1-9a-z][0-9a-z]{0,7})\.([a-z0-9]{1,16})\.([A-Za-z0-9_-]{43})$/;

/** Parses the configured keys, `<id>:<secret>,…`. The first signs, all are accepted. */
export function readKeys(text: string): [SigningKey, ...SigningKey[]] {
  const [first, ...others] = text.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
  });
  if (!first) throw new RangeError('no signing key');
  return [first, ...others];
}

const macOf = (key: SigningKey, text: string) => createHmac('sha256', key.secret).update(text).digest();

/** Returns a token for everything below the prefix of a video or a document, valid until `expires` (seconds since 1970). */
export function sign(id: string, expires: number, key: SigningKey): string {
  const claim = `${expires.toString(36)}.${key.id}`;
  return `${claim}.${macOf(key, `${id}/${claim}`).toString('base64url')}`;
}

/** Returns for how many seconds the token remains valid; undefined if it is not valid. */
export function verify(id: string, token: string, keys: readonly SigningKey[], now: Date): number | undefined {
  const [, expires = '', keyId, signature = ''] = TOKEN.exec(token) ?? [];
  const key = keys.find((one) => one.id === keyId);
  if (!key) return undefined;
  const given = Buffer.from(signature, 'base64url');
  // The last character has two unused bits: another spelling of the same bytes is not valid.
  if (given.toString('base64url') !== signature) return undefined;
  if (!timingSafeEqual(given, macOf(key, `${id}/${expires}.${keyId}`))) return undefined;
  const left = Number.parseInt(expires, 36) - now.getTime() / 1000;
  return left > 0 ? left : undefined;
}

const TTL_SECONDS = 3_600;

/** Signs addresses. Anyone who has one may play the video, or see the document, for an hour. */
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
    const prefix = this.prefixOf(videoId);
    return { url: `${prefix}/${type === 'hls' ? 'master.m3u8' : entry}`, posterUrl: poster === null ? null : `${prefix}/poster.jpg` };
  }

  /** What the signed addresses of a video or a document begin with. */
  prefixOf(id: string): string {
    // Real time, because a CDN in front compares it with its own clock.
    const expires = Math.ceil(this.clock.wall().getTime() / 1000) + TTL_SECONDS;
    return `${this.root}/v/${id}/${sign(id, expires, this.key)}`;
  }
}
