import { createHash } from 'node:crypto';
import { AppError, invalidField, LOGO_LIMIT, LOGO_PART_BYTES, LOGO_PIXELS, logoRpc, type Organization } from '@classroom/contracts';
import { pictureSizeOf, pictureTypeOf, withoutMetadata } from '@classroom/platform';
import { Injectable } from '@nestjs/common';
import { RpcClient } from '@classroom/messaging';
import { decodeInput } from '../http/validate.js';

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
