import { createReadStream } from 'node:fs';
import { addAbortSignal, Readable } from 'node:stream';
import { AbortMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/** S3 allows 10,000 parts: objects up to 78 GiB. */
const PART_BYTES = 8 * 1024 ** 2;
/** With the part being filled, an upload holds 32 MiB in memory. */
const PART_CONCURRENCY = 3;

export interface UploadOptions {
  contentType: string;
  contentDisposition?: string;
  /** Ends the upload with the signal's reason. */
  signal?: AbortSignal;
}

export interface Uploaded {
  /** Size in bytes. */
  size: number;
  etag: string;
}

export interface ObjectLocation {
  Bucket: string;
  Key: string;
}

/**
 * Uploads the body as one object, which appears when it is complete. The body is consumed or destroyed in any case. An error of
 * the body is thrown unchanged.
 */
export async function uploadObject(
  client: S3Client,
  location: ObjectLocation,
  body: Readable | { file: string },
  { contentType, contentDisposition, signal }: UploadOptions,
): Promise<Uploaded> {
  const source = body instanceof Readable ? body : createReadStream(body.file);
  if (signal) addAbortSignal(signal, source);
  const counted = new CountedBytes(source);
  const upload = new Upload({
    client,
    params: { ...location, Body: Readable.from(counted), ContentType: contentType, ContentDisposition: contentDisposition },
    partSize: PART_BYTES,
    queueSize: PART_CONCURRENCY,
    // The upload is aborted below. If the library failed to do so, its error would hide the original one.
    leavePartsOnError: true,
  });
  try {
    const { ETag = '' } = await upload.done();
    return { size: counted.size, etag: ETag.replaceAll('"', '') };
  } catch (error) {
    const failure: unknown = signal?.aborted ? signal.reason : (counted.failure ?? error);
    source.destroy();
    const { uploadId } = upload;
    // If the abort fails, `abortUploads` frees the parts later.
    if (uploadId) await client.send(new AbortMultipartUploadCommand({ ...location, UploadId: uploadId })).catch(() => undefined);
    throw failure;
  }
}

/** Counts a source's bytes, and records whether the source itself failed. */
class CountedBytes implements AsyncIterable<Uint8Array> {
  size = 0;
  failure: unknown;

  constructor(private readonly source: AsyncIterable<Uint8Array>) {}

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.source[Symbol.asyncIterator]();
    // Not `for await`: a reader that gives up throws into `yield`, which is not a failure of the source.
    const next = () =>
      chunks.next().catch((error: unknown) => {
        this.failure = error;
        throw error;
      });
    try {
      for (let chunk = await next(); !chunk.done; chunk = await next()) {
        this.size += chunk.value.length;
        yield chunk.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
}
