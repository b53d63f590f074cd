import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { failpoint } from '@classroom/platform';
import type { ObjectStorage, WriteOnlyBucket } from '@classroom/storage';

/** Memory of one copy. S3 allows 10,000 parts, so a larger file has larger parts. */
const PART_BYTES = 8 * 1024 ** 2;
const MAX_PARTS = 10_000;

/** The file itself cannot be read here: that is not the fault of the bucket. */
export class FileFailure extends Error {
  constructor(
    readonly reason: 'file-missing' | 'file-unavailable',
    cause?: unknown,
  ) {
    super(`the file of a recording cannot be copied (${reason})`, { cause });
  }
}

export interface Transfer {
  storage: ObjectStorage;
  objectKey: string;
  bucket: WriteOnlyBucket;
  key: string;
  contentType: string;
  /** Called with the id of the upload before its first part, and before each further step. It throws to end the transfer. */
  onUpload: (uploadId: string) => Promise<void>;
  onStep: () => Promise<void>;
}

export interface Transferred {
  /** Bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Copies a file to a bucket in parts. One part at a time is in memory. The file appears in the bucket when it is complete. Each part is read
 * by a request of its own, so that a slow bucket holds no connection to our storage.
 * @throws FileFailure; what `onUpload` and `onStep` throw; otherwise as WriteOnlyBucket does
 */
export async function transferFile(transfer: Transfer): Promise<Transferred> {
  const { storage, objectKey, bucket, key, contentType, onUpload, onStep } = transfer;
  const size = await sizeOf(storage, objectKey);
  const partBytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
  const uploadId = await bucket.begin(key, contentType);
  try {
    await onUpload(uploadId);
    const hash = createHash('sha256');
    const tags: string[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const part = await read(storage, objectKey, start, Math.min(start + partBytes, size) - 1);
      hash.update(part);
      tags.push(await bucket.part(key, uploadId, tags.length + 1, part));
      await failpoint('recording.copy.after-part');
      await onStep();
    }
    await bucket.complete(key, uploadId, tags);
    return { size, sha256: hash.digest('hex') };
  } catch (error) {
    await bucket.abort(key, uploadId);
    throw error;
  }
}

async function sizeOf(storage: ObjectStorage, objectKey: string): Promise<number> {
  const head = await storage.head(objectKey).catch((error: unknown) => {
    throw new FileFailure('file-unavailable', error);
  });
  if (!head) throw new FileFailure('file-missing');
  return head.size;
}

async function read(storage: ObjectStorage, objectKey: string, start: number, end: number): Promise<Buffer> {
  try {
    const part = await buffer(await storage.read(objectKey, { start, end }));
    if (part.length === end - start + 1) return part;
  } catch (error) {
    throw new FileFailure('file-unavailable', error);
  }
  throw new FileFailure('file-unavailable');
}
