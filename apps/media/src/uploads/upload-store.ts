import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, failpoint } from '@classroom/platform';
import { credentialsOf, instrumented } from '@classroom/storage';
import { S3Store, type MetadataValue } from '@tus/s3-store';
import { ERRORS, Upload, type KvStore } from '@tus/server';
import type { MediaConfig } from '../config.js';
import { bytesOf, completeParts, MultipartBuffer, partBytes, type Part } from './multipart-buffer.js';

const MAX_CACHED = 10_000;

/** Cache of the uploads' metadata, which never changes. The oldest entry is evicted first, and read again when it is needed. */
class UploadCache implements KvStore<MetadataValue> {
  private readonly byKey = new Map<string, MetadataValue>();

  async get(key: string): Promise<MetadataValue | undefined> {
    return this.byKey.get(key);
  }

  async set(key: string, value: MetadataValue): Promise<void> {
    const [oldest] = this.byKey.keys();
    if (this.byKey.size >= MAX_CACHED && oldest !== undefined) this.byKey.delete(oldest);
    this.byKey.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.byKey.delete(key);
  }
}

interface Stored {
  parts: Part[];
  /** Bytes behind the complete parts, in an object of their own until they fill a part. */
  rest: number;
  offset: number;
}

const ABSENT = new Set(['NotFound', 'NoSuchKey', 'NoSuchUpload']);
const isAbsent = (error: unknown) => error instanceof Error && ABSENT.has(error.name);

/**
 * tus uploads as S3's multipart uploads. An upload's id is the key of the object that it becomes. Unlike the library's own writing, this
 * keeps acknowledged bytes whichever component dies in between, and distinguishes an unreachable storage from an upload that does not
 * exist.
 */
@Injectable()
export class UploadStore extends S3Store implements OnApplicationShutdown {
  override extensions = ['expiration'];

  constructor(@Inject(CONFIG) config: MediaConfig) {
    super({
      cache: new UploadCache(),
      useTags: false,
      s3ClientConfig: {
        bucket: config.S3_BUCKET,
        endpoint: config.S3_ENDPOINT,
        region: config.S3_REGION,
        forcePathStyle: config.S3_FORCE_PATH_STYLE,
        ...credentialsOf(config),
        // By default the SDK adds checksums that storages other than AWS reject.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        maxAttempts: 3,
        requestHandler: { connectionTimeout: 2_000, requestTimeout: 60_000, throwOnRequestTimeout: true, socketTimeout: 30_000 },
      },
    });
    instrumented(this.client, config.S3_ENDPOINT);
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }

  async open(key: string, size: number): Promise<void> {
    await this.create(new Upload({ id: key, size, offset: 0 }));
  }

  override async getUpload(key: string): Promise<Upload> {
    const { file } = await this.metadataOf(key);
    const { offset } = await this.stored(key, file.size ?? 0);
    return new Upload({ ...file, offset });
  }

  /** @returns the new offset: all bytes before it are stored */
  override async write(source: Readable, key: string, offset: number): Promise<number> {
    const metadata = await this.metadataOf(key);
    const size = metadata.file.size ?? 0;
    const stored = await this.stored(key, size);
    if (stored.offset !== offset) throw ERRORS.INVALID_OFFSET;
    const first = stored.parts.length + 1;
    const multipart = new MultipartBuffer(first, size, (number, bytes) => this.send(metadata, number, bytes));
    if (stored.rest > 0) await multipart.add(await this.readRest(key, first, stored.rest));
    try {
      for await (const chunk of source) await multipart.add(chunk as Buffer);
    } finally {
      // The received bytes are kept, whatever broke the connection.
      await multipart.settled();
      if (multipart.rest.length > 0) await this.writeRest(key, multipart.number, multipart.rest);
    }
    if (multipart.offset === size) await this.finish(key);
    return multipart.offset;
  }

  /** Makes the object of its parts, once they are all stored. Safe to repeat. */
  async finish(key: string): Promise<void> {
    const metadata = await this.metadataOf(key);
    await failpoint('media.upload.before-complete');
    try {
      await this.finishMultipartUpload(metadata, completeParts(await this.retrieveParts(key), metadata.file.size ?? 0));
    } catch (error) {
      if (!isAbsent(error) || !(await this.isComplete(key, metadata.file.size ?? 0))) throw error;
    }
  }

  /** The metadata that the library stores next to the file. @throws FILE_NOT_FOUND only if it is missing, not if the storage fails */
  private async metadataOf(key: string): Promise<MetadataValue> {
    return this.getMetadata(key).catch((error: unknown) => {
      throw isAbsent(error) ? ERRORS.FILE_NOT_FOUND : error;
    });
  }

  private async stored(key: string, size: number): Promise<Stored> {
    try {
      const parts = completeParts(await this.retrieveParts(key), size);
      const bytes = bytesOf(parts);
      const rest = bytes === size ? 0 : await this.restBytes(key, parts.length + 1, size);
      return { parts, rest, offset: bytes + rest };
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (await this.isComplete(key, size)) return { parts: [], rest: 0, offset: size };
      throw ERRORS.FILE_NOT_FOUND;
    }
  }

  private async isComplete(key: string, size: number): Promise<boolean> {
    try {
      const { ContentLength } = await this.client.headObject({ Bucket: this.bucket, Key: key });
      return ContentLength === size;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
  }

  private async send(metadata: MetadataValue, number: number, bytes: Buffer): Promise<void> {
    await failpoint('media.upload.before-part');
    await this.uploadPart(metadata, bytes, number);
  }

  /** Named after the part that the bytes will become, so that the object no longer counts once that part is stored. */
  private restKey = (key: string, number: number) => `${key}.part.${number}`;

  private async restBytes(key: string, number: number, size: number): Promise<number> {
    try {
      const { ContentLength = 0 } = await this.client.headObject({ Bucket: this.bucket, Key: this.restKey(key, number) });
      return ContentLength < partBytes(number, size) ? ContentLength : 0;
    } catch (error) {
      if (isAbsent(error)) return 0;
      throw error;
    }
  }

  private async readRest(key: string, number: number, length: number): Promise<Buffer> {
    const { Body } = await this.client.getObject({ Bucket: this.bucket, Key: this.restKey(key, number) });
    const bytes = await buffer(Body as Readable);
    // Another request has written in the meantime: the client has to ask for the offset again.
    if (bytes.length !== length) throw ERRORS.INVALID_OFFSET;
    return bytes;
  }

  private async writeRest(key: string, number: number, bytes: Buffer): Promise<void> {
    await failpoint('media.upload.before-rest');
    await this.client.putObject({ Bucket: this.bucket, Key: this.restKey(key, number), Body: bytes });
  }
}
