import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { pipeline, Readable, Transform } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { AddressRefused, checkAddress, type Outbound } from '@classroom/platform';
import { createClient, isStorageFull } from './client.js';

/** A bucket of an organization, and a key that may write to it. */
export interface Destination {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  forcePathStyle: boolean;
}

/** Why a bucket of an organization did not take an object. */
export type BucketRefusal =
  | 'unreachable'
  | 'access-denied'
  | 'no-such-bucket'
  | 'wrong-region'
  | 'storage-full'
  | 'refused'
  | 'address-refused';

/** An object that a bucket of an organization did not take. */
export class BucketFailure extends Error {
  constructor(
    readonly reason: BucketRefusal,
    cause?: unknown,
  ) {
    super(`the bucket of an organization took no object (${reason})`, { cause });
  }
}

/** For a part over a slow line. */
const TRANSFER_LIMITS = { timeoutMs: 120_000, attempts: 3 };
/** For the test of a new destination, whose caller waits. */
const TEST_LIMITS = { timeoutMs: 6_000, attempts: 1 };
/** Answers are short. One from a foreign server that is longer or slower ends with an error. */
const MAX_ANSWER_BYTES = 256 * 1024;
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * A bucket that belongs to someone else, to which objects are only written. Every connection is made to an address that `outbound` has
 * checked. Methods throw BucketFailure.
 */
export class WriteOnlyBucket {
  private readonly client: S3Client;
  private readonly agents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent };

  /** @throws BucketFailure if the address may not be opened */
  constructor(
    private readonly destination: Destination,
    outbound: Outbound,
    purpose: 'test' | 'transfer' = 'transfer',
  ) {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = destination;
    try {
      checkAddress(outbound, new URL(endpoint));
    } catch (error) {
      throw failureOf(error);
    }
    const options = { keepAlive: true, lookup: outbound.lookup };
    this.agents = { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
    const config = {
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_FORCE_PATH_STYLE: forcePathStyle,
    };
    this.client = createClient(config, purpose === 'test' ? TEST_LIMITS : TRANSFER_LIMITS, endpoint, this.agents);
    this.guard(outbound);
  }

  /** Closes the connections. Calls in progress fail. */
  close(): void {
    this.client.destroy();
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  async put(key: string, body: Buffer, contentType: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.at(key), Body: body, ContentType: contentType, ContentMD5: md5Of(body) });
    await this.client.send(command).catch(fail);
  }

  /** @returns the id of a new upload in parts */
  async begin(key: string, contentType: string): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...this.at(key), ContentType: contentType });
    const { UploadId } = await this.client.send(command).catch(fail);
    if (!UploadId) throw new BucketFailure('refused');
    return UploadId;
  }

  /** @param number of the part, from 1. @returns its tag */
  async part(key: string, UploadId: string, number: number, body: Buffer): Promise<string> {
    const command = new UploadPartCommand({ ...this.at(key), UploadId, PartNumber: number, Body: body, ContentMD5: md5Of(body) });
    const { ETag = '' } = await this.client.send(command).catch(fail);
    return ETag;
  }

  /** @param tags of all parts, in order */
  async complete(key: string, UploadId: string, tags: readonly string[]): Promise<void> {
    const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    const command = new CompleteMultipartUploadCommand({ ...this.at(key), UploadId, MultipartUpload: { Parts } });
    await this.client.send(command).catch(fail);
  }

  /** Frees the parts of an upload, if the key may do that. Never throws. */
  async abort(key: string, UploadId: string): Promise<void> {
    await this.client.send(new AbortMultipartUploadCommand({ ...this.at(key), UploadId })).catch(() => undefined);
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.destination.bucket, Key: key };
  }

  /** `lookup` is not called for an IP address, and the host of a request is made from endpoint and bucket. */
  private guard(outbound: Outbound): void {
    const { middlewareStack } = this.client;
    middlewareStack.add(
      (next) => (args) => {
        const { protocol, hostname } = args.request as { protocol: string; hostname: string };
        checkAddress(outbound, new URL(`${protocol}//${hostname}`));
        return next(args);
      },
      { step: 'finalizeRequest', name: 'checkedAddress', priority: 'low' },
    );
    middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const response = result.response as { body?: unknown };
        if (response.body instanceof Readable) response.body = limited(response.body);
        return result;
      },
      { step: 'deserialize', name: 'limitedAnswer', priority: 'low' },
    );
  }
}

function limited(body: Readable): Readable {
  let size = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > MAX_ANSWER_BYTES ? new RangeError('the answer of the bucket is too long') : null, chunk);
    },
  });
  const timer = setTimeout(() => limit.destroy(new Error('the answer of the bucket takes too long')), ANSWER_TIMEOUT_MS);
  pipeline(body, limit, () => clearTimeout(timer));
  return limit;
}

/** Buckets with an object lock refuse parts without it. */
const md5Of = (body: Buffer) => createHash('md5').update(body).digest('base64');

const DENIED = /^(AccessDenied|AllAccessDisabled|InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|Unauthorized)/;
const REGION = /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/;

function failureOf(error: unknown): BucketFailure {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof AddressRefused) return new BucketFailure('address-refused', error);
    if (at instanceof S3ServiceException) return new BucketFailure(reasonOf(at), error);
  }
  return new BucketFailure('unreachable', error);
}

const fail = (error: unknown): never => {
  throw failureOf(error);
};

/** Only by its name and status: the server belongs to the tenant, and its texts are not passed on. */
function reasonOf(error: S3ServiceException): BucketRefusal {
  const status = error.$metadata.httpStatusCode ?? 0;
  if (isStorageFull(error)) return 'storage-full';
  if (error.name === 'NoSuchBucket' || (status === 404 && error.name !== 'NoSuchUpload')) return 'no-such-bucket';
  if (REGION.test(error.name) || status === 301 || status === 307) return 'wrong-region';
  if (DENIED.test(error.name) || status === 401 || status === 403) return 'access-denied';
  return status >= 500 || error.name === 'SlowDown' ? 'unreachable' : 'refused';
}
