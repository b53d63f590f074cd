import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  invalidField,
  LOGO_LIMIT,
  LOGO_PART_BYTES,
  LOGO_PIXELS,
  logoRpc,
  sha256OfLogo,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import {
  AddressRefused,
  CONFIG,
  download,
  logger,
  openPicture,
  Outbound,
  PICTURES,
  pictureSizeOf,
  pictureTypeOf,
  sealPicture,
  withoutMetadata,
  type SealedPicture,
} from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { sendError } from '../http/endpoint.js';
import { decodeInput } from '../http/validate.js';
import { DownloadSlots } from './download-slots.js';

/**
 * @param base64 the field `logo` of a request
 * @returns the picture without its metadata
 * @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE, which name the field
 */
export function checkedLogo(base64: string): Buffer {
  const given = decodeInput('logo', base64, LOGO_LIMIT);
  const type = pictureTypeOf(given);
  if (!type || type === 'image/gif') throw invalidField('logo', 'must be a PNG, JPEG or WebP');
  const logo = withoutMetadata(given);
  const size = logo && pictureSizeOf(logo);
  if (!size) throw invalidField('logo', 'must not be damaged');
  if (size.isAnimated) throw invalidField('logo', 'must not be animated');
  if (Math.max(size.width, size.height) > LOGO_PIXELS)
    throw invalidField('logo', `must be at most ${LOGO_PIXELS} × ${LOGO_PIXELS} pixels, and is ${size.width} × ${size.height}`);
  return logo;
}

/** Passes logos to and from the organization service, in parts that fit in a message. */
@Injectable()
export class UploadedLogos {
  constructor(private readonly rpc: RpcClient) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND, SERVICE_UNAVAILABLE */
  async write(organizationId: string, logo: Buffer): Promise<Organization> {
    const parts = Math.ceil(logo.length / LOGO_PART_BYTES);
    const sha256 = hashOf(logo);
    const put = (number: number) => {
      const logoPart = logo.subarray(number * LOGO_PART_BYTES, (number + 1) * LOGO_PART_BYTES).toString('base64');
      return this.rpc.call(logoRpc.put, { organizationId, sha256, number, parts, logoPart });
    };
    for (let number = 0; number < parts - 1; number++) await put(number);
    return put(parts - 1);
  }

  /** @returns undefined if there is no such logo @throws AppError SERVICE_UNAVAILABLE */
  async read(sha256: string): Promise<Buffer | undefined> {
    const read: Buffer[] = [];
    try {
      for (let number = 0, parts = 1; number < parts; number++) {
        const part = await this.rpc.call(logoRpc.get, { sha256, number });
        read.push(Buffer.from(part.logoPart, 'base64'));
        ({ parts } = part);
      }
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
    const logo = Buffer.concat(read);
    return hashOf(logo) === sha256 ? logo : undefined;
  }
}

const hashOf = (logo: Buffer) => createHash('sha256').update(logo).digest('hex');

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
