import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, LOGO_PART_BYTES, logoRpc, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';

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
