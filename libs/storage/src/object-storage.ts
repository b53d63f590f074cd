import { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  ListMultipartUploadsCommand,
  type BucketLocationConstraint,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '@classroom/contracts';
import { createClient, ifNotFound } from './client.js';
import type { StorageConfig } from './config.js';
import { BYTES_PER_COPY, copyObject } from './copy.js';
import { contentDisposition } from './content-disposition.js';
import { uploadObject, type Uploaded, type UploadOptions } from './upload.js';

/** Identifies an organization in an object key, as 24 hex digits. The id itself is a secret, and links are shared. */
export const tenantOf = (organizationId: string) => createHash('sha256').update(organizationId).digest('hex').slice(0, 24);

const REQUEST_LIMITS = { timeoutMs: 5_000, attempts: 2 };
/** For a part over a slow line, and for completing or copying a large object. */
const TRANSFER_LIMITS = { timeoutMs: 120_000, attempts: 3 };
const PING_LIMITS = { timeoutMs: 1_000, attempts: 1 };
/** S3's limit for one call. */
const KEYS_PER_DELETE = 1_000;
const MAX_LINK_SECONDS = 3_600;

export interface StoredObject {
  key: string;
  /** Size in bytes. */
  size: number;
  lastModified: Date;
}

export interface ObjectHead {
  size: number;
  lastModified: Date;
  contentType: string;
}

/** Bytes from `start` to `end`, both inclusive; without `end`, to the end of the object. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface LinkOptions {
  /** Seconds, at most 3,600. */
  expiresIn: number;
  /** File name for the browser; without it, the object's own Content-Disposition applies. */
  downloadName?: string;
  /** Who opens the link: a service, at the address that this one uses, or by default anyone, at the public address. */
  for?: 'service' | 'anyone';
  /** Start of the validity. Real time, because the storage compares it with its own clock. */
  at: Date;
}

/**
 * One bucket behind the S3 API. If the storage does not answer or refuses, the error is SERVICE_UNAVAILABLE; for a missing object
 * it is NOT_FOUND. Every call ends by itself; a stream that `read` returned fails if it stalls for 30 s.
 */
export class ObjectStorage {
  private readonly requestClient: S3Client;
  private readonly transferClient: S3Client;
  private readonly pingClient: S3Client;
  private readonly publicClient: S3Client;
  private readonly bucket: string;

  constructor(private readonly config: StorageConfig) {
    this.bucket = config.S3_BUCKET;
    this.requestClient = createClient(config, REQUEST_LIMITS);
    this.transferClient = createClient(config, TRANSFER_LIMITS);
    this.pingClient = createClient(config, PING_LIMITS);
    this.publicClient = createClient(config, REQUEST_LIMITS, config.S3_PUBLIC_URL ?? config.S3_ENDPOINT);
  }

  /** Closes idle connections. Calls in progress fail. */
  close(): void {
    for (const client of [this.requestClient, this.transferClient, this.pingClient, this.publicClient]) client.destroy();
  }

  /** Asks for the bucket's location, because HeadBucket needs the right to list every key. */
  async ping(): Promise<void> {
    await this.pingClient.send(new GetBucketLocationCommand({ Bucket: this.bucket }));
  }

  /** Creates the bucket if it does not exist. */
  async ensureBucket(): Promise<void> {
    const found = await this.requestClient.send(new HeadBucketCommand({ Bucket: this.bucket })).catch(ifNotFound);
    if (found) return;
    const { S3_REGION: region } = this.config;
    // S3 does not accept its first region as a location constraint.
    const CreateBucketConfiguration = region === 'us-east-1' ? undefined : { LocationConstraint: region as BucketLocationConstraint };
    await this.requestClient.send(new CreateBucketCommand({ Bucket: this.bucket, CreateBucketConfiguration })).catch((error: unknown) => {
      if (nameOfCause(error) !== 'BucketAlreadyOwnedByYou') throw error;
    });
  }

  /**
   * Uploads the body as one object, in parts. The object appears when it is complete. The body is consumed or destroyed in any
   * case. An error of the body and the signal's reason are thrown unchanged.
   */
  upload(key: string, body: Readable | { file: string }, options: UploadOptions): Promise<Uploaded> {
    return uploadObject(this.transferClient, this.at(key), body, options);
  }

  async head(key: string): Promise<ObjectHead | undefined> {
    const found = await this.requestClient.send(new HeadObjectCommand(this.at(key))).catch(ifNotFound);
    if (!found) return undefined;
    const { ContentLength = 0, LastModified = new Date(0), ContentType = 'application/octet-stream' } = found;
    return { size: ContentLength, lastModified: LastModified, contentType: ContentType };
  }

  /** The stream holds a connection until it is read to its end or destroyed. */
  async read(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
    const { Body } = await this.requestClient.send(new GetObjectCommand({ ...this.at(key), Range }));
    if (!(Body instanceof Readable)) throw new AppError('INTERNAL_ERROR', { message: 'the storage answered without a body' });
    return Body;
  }

  /** All objects with the prefix, ordered by key. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    const pages = paginateListObjectsV2({ client: this.requestClient }, { Bucket: this.bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
        yield { key: Key, size: Size, lastModified: LastModified };
      }
    }
  }

  /** Succeeds if the object does not exist. */
  async delete(key: string): Promise<void> {
    await this.requestClient.send(new DeleteObjectCommand(this.at(key))).catch(ifNotFound);
  }

  /**
   * Deletes a folder.
   * @param prefix the folder, with its trailing slash: a shorter prefix would also match its neighbours
   * @returns the number of deleted objects
   */
  async deletePrefix(prefix: string): Promise<number> {
    if (!/[^/]\/$/.test(prefix)) throw new RangeError('a prefix to delete must name a folder and end in a slash');
    let deleted = 0;
    let batch: string[] = [];
    const flush = async () => {
      await this.deleteAll(batch);
      deleted += batch.length;
      batch = [];
    };
    for await (const { key } of this.list(prefix)) {
      batch.push(key);
      if (batch.length === KEYS_PER_DELETE) await flush();
    }
    if (batch.length > 0) await flush();
    return deleted;
  }

  private async deleteAll(keys: string[]): Promise<void> {
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const { Errors = [] } = await this.requestClient.send(new DeleteObjectsCommand({ Bucket: this.bucket, Delete }));
    const [first] = Errors;
    if (first) throw new AppError('SERVICE_UNAVAILABLE', { cause: new Error(`${Errors.length} objects stayed: ${first.Code}`) });
  }

  /**
   * Frees the parts of uploads that were never completed.
   * @returns the number of aborted uploads
   */
  async abortUploads(prefix: string, olderThan?: Date): Promise<number> {
    let aborted = 0;
    let KeyMarker: string | undefined;
    let UploadIdMarker: string | undefined;
    for (;;) {
      const command = new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: prefix, KeyMarker, UploadIdMarker });
      const page = await this.requestClient.send(command);
      for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
        if (olderThan && !(Initiated && Initiated < olderThan)) continue;
        const gone = await this.requestClient.send(new AbortMultipartUploadCommand({ ...this.at(Key), UploadId })).catch(ifNotFound);
        if (gone) aborted += 1;
      }
      if (!page.IsTruncated) return aborted;
      ({ NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page);
    }
  }

  /**
   * Copies an object within the bucket.
   * @param bytesPerCall bytes per call; a larger object is copied in parts of this size
   */
  async copy(from: string, to: string, bytesPerCall = BYTES_PER_COPY): Promise<void> {
    const original = await this.head(from);
    if (!original) throw new AppError('NOT_FOUND');
    const CopySource = [this.bucket, ...from.split('/')].map(encodeURIComponent).join('/');
    await copyObject(this.transferClient, this.at(to), { ...original, CopySource }, bytesPerCall);
  }

  /** An address that anyone may GET from, in full or in ranges, until it expires. It is computed without a call to the storage. */
  presignGet(key: string, { expiresIn, downloadName, at, for: reader = 'anyone' }: LinkOptions): Promise<string> {
    if (!(expiresIn >= 1 && expiresIn <= MAX_LINK_SECONDS)) throw new RangeError(`a link lasts 1 to ${MAX_LINK_SECONDS} s`);
    const ResponseContentDisposition = downloadName === undefined ? undefined : contentDisposition(downloadName);
    const command = new GetObjectCommand({ ...this.at(key), ResponseContentDisposition });
    return getSignedUrl(reader === 'anyone' ? this.publicClient : this.requestClient, command, { expiresIn, signingDate: at });
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: key };
  }
}

const nameOfCause = (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined);
