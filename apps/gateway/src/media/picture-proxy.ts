import { Inject, Injectable } from '@nestjs/common';
import { AppError, sha256OfLogo } from '@classroom/contracts';
import {
  AddressRefused,
  CONFIG,
  download,
  logger,
  openPicture,
  Outbound,
  pictureTypeOf,
  withoutMetadata,
  type SealedPicture,
} from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config.js';
import { DownloadSlots } from './download-slots.js';
import { UploadedLogos } from './uploaded-logos.js';

const MIB = 1024 ** 2;
const MAX_BYTES = MIB;
const DOWNLOAD_TIMEOUT_MS = 5_000;
/** A gateway holds at most `total` MiB of unfinished downloads. A class of 50 people with photos takes a few seconds at first. */
const LIMITS = { total: 32, perOwner: 8, waitingPerOwner: 500, waitMs: 10_000 };
const CACHE_BYTES = 32 * MIB;
/** What an entry takes in addition to its content, so that failures count too. */
const ENTRY_BYTES = 1024;
const KEPT_MS = 10 * 60_000;
const FAILURE_KEPT_MS = 60_000;
const HEADERS = { accept: 'image/webp,image/png,image/jpeg,image/gif', 'user-agent': 'virtual-classroom' };

export interface Picture {
  type: string;
  body: Buffer;
  /** Whether the path always has this picture: it contains the hash of an uploaded logo. */
  isFixed: boolean;
}

type Entry = Picture | { failure: string };

/**
 * Loads photos and logos from the addresses that schools chose, in place of browsers and recorders: the address learns nothing about the
 * people in a class, and no private address is opened. What a picture tells beyond its pixels, such as where it was taken, stays here.
 * Uploaded logos come from the organization service.
 */
@Injectable()
export class PictureProxy {
  private readonly secrets: readonly string[];
  private readonly outbound: Outbound;
  private readonly slots = new DownloadSlots(LIMITS);
  private readonly downloads = new Map<string, Promise<Entry>>();
  private readonly cache = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (entry) => ENTRY_BYTES + ('body' in entry ? entry.body.length : 0),
  });

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly logos: UploadedLogos,
  ) {
    this.secrets = [config.LIVEKIT_API_SECRET, ...config.LIVEKIT_OTHER_KEYS.map(({ secret }) => secret)];
    this.outbound = new Outbound(config);
  }

  /**
   * @param sealed the last segment of a path by `sealPicture`
   * @throws AppError NOT_FOUND if the path is forged or its address has no picture, RATE_LIMITED; SERVICE_UNAVAILABLE if a logo cannot be read now
   */
  async find(sealed: string): Promise<Picture> {
    const picture = openPicture(this.secrets, sealed);
    if (!picture) throw new AppError('NOT_FOUND');
    const key = `${picture.owner} ${picture.address}`;
    const entry = this.cache.get(key) ?? (await (this.downloads.get(key) ?? this.load(key, picture)));
    if ('failure' in entry) throw new AppError('NOT_FOUND');
    return entry;
  }

  private load(key: string, { owner, address }: SealedPicture): Promise<Entry> {
    const sha256 = sha256OfLogo(address);
    const loading = this.slots
      .run(owner, () => (sha256 === undefined ? this.download(address) : this.read(sha256)))
      .then((entry) => {
        const isFailure = 'failure' in entry;
        // Neither the address nor the organization: both may identify people.
        if (isFailure) logger.info({ reason: entry.failure }, 'a picture could not be loaded');
        this.cache.set(key, entry, { ttl: isFailure ? FAILURE_KEPT_MS : KEPT_MS });
        return entry;
      })
      .finally(() => this.downloads.delete(key));
    this.downloads.set(key, loading);
    return loading;
  }

  private async download(address: string): Promise<Entry> {
    try {
      const options = { outbound: this.outbound, headers: HEADERS, timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_BYTES };
      const { status, body } = await download(address, options);
      if (status !== 200) return { failure: `status ${status}` };
      const type = pictureTypeOf(body);
      const picture = withoutMetadata(body);
      return type && picture ? { type, body: picture, isFixed: false } : { failure: 'no PNG, JPEG, GIF or WebP, or a damaged one' };
    } catch (error) {
      return { failure: reasonOf(error) };
    }
  }

  private async read(sha256: string): Promise<Entry> {
    const body = await this.logos.read(sha256);
    const type = body && pictureTypeOf(body);
    // Not kept as a failure: the same logo may be uploaded again.
    if (!type) throw new AppError('NOT_FOUND');
    return { type, body, isFixed: true };
  }
}

/** Without the message of a system error, which contains the host. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof RangeError) return error.message;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : name);
}
