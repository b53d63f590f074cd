import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AI_INPUT_LIMIT, AppError } from '@classroom/contracts';
import { ObjectStorage, tenantOf } from '@classroom/storage';
import { decodeInput } from '../http/validate.js';

/** Timeout of an upload, for which a caller is waiting. */
const UPLOAD_TIMEOUT_MS = 15_000;
/** Attempts: a storage on a file system rejects a write into a folder at the moment when the folder's last object is removed. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 50;

interface Inputs {
  audio?: string | undefined;
  image?: string | undefined;
}

type UploadedInputs<G extends Inputs> = { [F in keyof G]: { key: string } };

/**
 * Audio and images are too large for a message. They are stored in the object storage under a key that only we can create, from where the
 * AI service takes them. A question in text alone does not use the storage.
 */
@Injectable()
export class InputUploads {
  constructor(private readonly storage: ObjectStorage) {}

  /** @throws AppError VALIDATION_FAILED or PAYLOAD_TOO_LARGE naming the field; SERVICE_UNAVAILABLE if the storage is unreachable */
  async uploadInputs<G extends Inputs>(organizationId: string, given: G, disconnected: AbortSignal): Promise<UploadedInputs<G>> {
    const inputs = Object.entries(given).flatMap(([field, base64]) =>
      base64 === undefined ? [] : [[field, decodeInput(field, base64, AI_INPUT_LIMIT)] as const],
    );
    const uploaded = await Promise.all(
      inputs.map(async ([field, bytes]) => [field, { key: await this.upload(organizationId, bytes, disconnected) }]),
    );
    return Object.fromEntries(uploaded) as UploadedInputs<G>;
  }

  private async upload(organizationId: string, bytes: Buffer, disconnected: AbortSignal): Promise<string> {
    const key = `ai-inputs/${tenantOf(organizationId)}/${randomUUID()}`;
    const signal = AbortSignal.any([disconnected, AbortSignal.timeout(UPLOAD_TIMEOUT_MS)]);
    for (let retriesLeft = MAX_ATTEMPTS - 1; ; retriesLeft--) {
      try {
        await this.storage.upload(key, Readable.from([bytes], { objectMode: false }), { contentType: 'application/octet-stream', signal });
        return key;
      } catch (error) {
        const known = error instanceof AppError ? error : new AppError('SERVICE_UNAVAILABLE', { cause: error });
        if (retriesLeft === 0 || signal.aborted) throw known;
        await pause(RETRY_DELAY_MS);
      }
    }
  }
}
