import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { ObjectStorage, tenantOf } from '@classroom/storage';
import { decodeInput } from './base64-input.js';

/** Timeout of an upload, for which a caller is waiting. */
const UPLOAD_MS = 15_000;
/** Attempts: a storage on a file system rejects a write into a folder at the moment when the folder's last object is removed. */
const ATTEMPTS = 3;
const PAUSE_MS = 50;

interface Given {
  audio?: string | undefined;
  image?: string | undefined;
}

type Claims<G extends Given> = { [F in keyof G]: { key: string } };

/**
 * Audio and images are too large for a message. They are stored in the object storage under a key that only we can create, from where the
 * AI service takes them. A question in text alone does not use the storage.
 */
@Injectable()
export class InputClaims {
  constructor(private readonly storage: ObjectStorage) {}

  /** @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE naming the field; SERVICE_UNAVAILABLE if the storage is unreachable */
  async leave<G extends Given>(organizationId: string, given: G, hangUp: AbortSignal): Promise<Claims<G>> {
    const inputs = Object.entries(given).flatMap(([field, base64]) =>
      base64 === undefined ? [] : [[field, decodeInput(field, base64)] as const],
    );
    const claims = await Promise.all(
      inputs.map(async ([field, bytes]) => [field, { key: await this.upload(organizationId, bytes, hangUp) }]),
    );
    return Object.fromEntries(claims) as Claims<G>;
  }

  private async upload(organizationId: string, bytes: Buffer, hangUp: AbortSignal): Promise<string> {
    const key = `ai-inputs/${tenantOf(organizationId)}/${randomUUID()}`;
    const signal = AbortSignal.any([hangUp, AbortSignal.timeout(UPLOAD_MS)]);
    for (let left = ATTEMPTS - 1; ; left--) {
      try {
        await this.storage.upload(key, Readable.from([bytes], { objectMode: false }), { contentType: 'application/octet-stream', signal });
        return key;
      } catch (error) {
        const known = error instanceof AppError ? error : new AppError('SERVICE_UNAVAILABLE', { cause: error });
        if (left === 0 || signal.aborted) throw known;
        await pause(PAUSE_MS);
      }
    }
  }
}
