import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { AppError } from '@classroom/contracts';
import { clientCall, durationHistogram, peerOf } from '@classroom/platform';
import { credentialsOf, type StorageConfig } from './config.js';

const duration = durationHistogram('s3.client.duration', 'Calls to the object storage, by method and outcome');
const CONNECT_TIMEOUT_MS = 2_000;
/** Maximum time without a byte in either direction. It also ends a body that stalls after its headers arrived. */
const IDLE_TIMEOUT_MS = 30_000;

export interface Limits {
  /** Milliseconds of one attempt, until its answer begins. */
  timeoutMs: number;
  attempts: number;
}

/** A client whose every call ends in time, is measured, and fails with an AppError. */
export function createClient(
  config: StorageConfig,
  { timeoutMs, attempts }: Limits,
  endpoint = config.S3_ENDPOINT,
  agents: { httpAgent?: HttpAgent; httpsAgent?: HttpsAgent } = {},
): S3Client {
  const client = new S3Client({
    endpoint,
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    ...credentialsOf(config),
    // By default the SDK adds checksums that storages other than AWS reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a separate connection for every part.
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
      ...agents,
    },
  });
  return instrument(client, endpoint, (failure) => failure);
}

/** Adds a span and metrics to every call of a client that another library made. Its errors stay unchanged. */
export const instrumented = <C extends S3Client>(client: C, endpoint: string): C => instrument(client, endpoint, ({ cause }) => cause);

/** No span attribute contains an object key, which may identify a class. */
function instrument<C extends S3Client>(client: C, endpoint: string, toThrown: (failure: AppError) => unknown): C {
  const peer = peerOf(endpoint);
  const call = <T>(method: string, work: () => Promise<T>): Promise<T> => {
    const attributes = { 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': method, ...peer };
    return clientCall({ name: `s3 ${method}`, method, attributes, duration, outcomeOf, toError: toAppError }, work).catch(
      (failure: AppError) => {
        throw toThrown(failure);
      },
    );
  };
  client.middlewareStack.add(
    (next, { commandName = 'Unknown' }) =>
      (request) =>
        call(commandName.replace(/Command$/, ''), () => next(request)),
    { step: 'initialize', name: 'observed', priority: 'high' },
  );
  return client;
}

const outcomeOf = (error: unknown) => (error instanceof S3ServiceException ? error.name : 'unreachable');

/**
 * A missing bucket or a refused key is a fault of the deployment. It becomes SERVICE_UNAVAILABLE, so that work that waits for the
 * storage keeps retrying.
 */
function toAppError(cause: unknown): AppError {
  const isAbsent = cause instanceof S3ServiceException && cause.$metadata.httpStatusCode === 404 && cause.name !== 'NoSuchBucket';
  if (isAbsent) return new AppError('NOT_FOUND', { cause });
  return new AppError('SERVICE_UNAVAILABLE', { cause, ...(isStorageFull(cause) ? { message: STORAGE_FULL } : {}) });
}

export const STORAGE_FULL = 'The storage is full; try again once there is space';

/**
 * Whether the storage's disks are full (507: versitygw, MinIO, Ceph) or its quota is used up.
 * @param error as the S3 client threw it
 */
export function isStorageFull(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.$metadata.httpStatusCode === 507 || error.name === 'QuotaExceeded');
}

const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'NOT_FOUND';

/** For a `catch`: turns NOT_FOUND into undefined and throws any other error. */
export function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
