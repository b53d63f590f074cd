import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { defineOperation } from '../kernel/operation.js';

/** Segments of a key without `.` and `..`, which some storages resolve. */
const PREFIX = /^(?!\/)(?!.*\/\/)(?!(.*\/)?\.{1,2}(\/|$))[A-Za-z0-9!_.*'()/-]{0,256}$/;
const visible = (max: number) => z.string().regex(new RegExp(`^[\\x21-\\x7e]{1,${max}}$`), `must be 1 to ${max} visible ASCII characters`);

/** Why a copy, or the test object of a bucket, could not be written. */
export const COPY_ERRORS = [
  'unreachable',
  'access-denied',
  'no-such-bucket',
  'wrong-region',
  'storage-full',
  'refused',
  'address-refused',
  'key-unreadable',
  'file-unavailable',
  'file-missing',
  'retention-ended',
  'bucket-removed',
  'erased',
] as const;
export type CopyError = (typeof COPY_ERRORS)[number];

const ERROR =
  '`unreachable`, `access-denied`, `no-such-bucket`, `wrong-region`, `storage-full`, `refused` (by the storage, for another reason) or `address-refused`: about your bucket. `key-unreadable`: the stored key can’t be decrypted, set the bucket again. `file-unavailable` or `file-missing`: about the file here. `retention-ended`, `bucket-removed` or `erased`: why the copy was given up. More may be added.';

export const recordingCopyShown = z
  .object({
    status: z
      .enum(['PENDING', 'COPIED', 'FAILED'])
      .describe('`PENDING`: an attempt follows. `COPIED`: the file is in your bucket. `FAILED`: given up.'),
    copiedAt: timestamp.nullable().describe('When the copy was complete; null before.'),
    key: z.string().nullable().describe('Key of the file in your bucket; null until it is copied.'),
    error: z.string().nullable().describe(`Why the last attempt failed; null if none did. ${ERROR}`),
  })
  .register(NAMES, { id: 'RecordingCopy', description: 'The copy of a recording in the organization’s own bucket.' });
export type RecordingCopyShown = z.infer<typeof recordingCopyShown>;

export const setRecordingBucketBody = z.object({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.school.example' })
    .max(2048)
    .refine((value) => URL.canParse(value) && /^\/?$/.test(new URL(value).pathname + new URL(value).search + new URL(value).hash), {
      error: 'must have no path, query or fragment',
    })
    .describe('Public HTTPS address of the S3 API, without a path, at most 2,048 characters.'),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/, 'must be 1 to 63 of a-z 0-9 -')
    .default('us-east-1')
    .describe('Region of the bucket. Default: `us-east-1`, which most storages other than AWS accept.'),
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be 3 to 63 of a-z 0-9 . -')
    .describe('Name of the bucket.'),
  prefix: z
    .string()
    .regex(PREFIX, 'must be at most 256 of A-Z a-z 0-9 ! _ . * ’ ( ) / -, without an empty, . or .. segment')
    .default('')
    .transform((value) => value.replace(/\/$/, ''))
    .pipe(z.string())
    .describe('Folder for the copies, such as `classes/recordings`, at most 256 characters. Default: none.'),
  accessKeyId: visible(256).describe('Id of a key that may write below the prefix (`s3:PutObject`).'),
  secretAccessKey: visible(1024).describe('Secret of the key. Stored encrypted; no answer contains it.'),
  forcePathStyle: z
    .boolean()
    .default(true)
    .describe('Whether the bucket’s name is in the path of the address and not in its host name. Default: true.'),
});
export type SetRecordingBucketBody = z.infer<typeof setRecordingBucketBody>;

export const recordingBucket = z
  .object({
    endpoint: z.string().describe('Address of the S3 API.'),
    region: z.string().describe('Region of the bucket.'),
    bucket: z.string().describe('Name of the bucket.'),
    prefix: z.string().describe('Folder for the copies; empty: none.'),
    accessKeyId: z.string().describe('Id of the key.'),
    forcePathStyle: z.boolean().describe('Whether the bucket’s name is in the path of the address.'),
    state: z.enum(['OK', 'FAILING']).describe('`FAILING`: the last attempt to write to the bucket failed.'),
    error: z.string().nullable().describe(`Why the last attempt failed; null if it succeeded. ${ERROR}`),
    failingSince: timestamp.nullable().describe('Since when every attempt has failed; null if the last one succeeded.'),
    lastCopiedAt: timestamp.nullable().describe('When the last copy was complete; null before the first.'),
    updatedAt: timestamp.describe('When the bucket was set.'),
  })
  .register(NAMES, { id: 'RecordingBucket', description: 'The organization’s own bucket, to which its recordings are copied.' });
export type RecordingBucketShown = z.infer<typeof recordingBucket>;

export const setRecordingBucket = defineOperation({
  operationId: 'setRecordingBucket',
  summary: 'Set recording bucket',
  description:
    'Sets the bucket of your own to which every recording is copied that is completed from now on. Copies that wait or have failed are tried again. Before it is stored, a test object is written below the prefix. The key needs only `s3:PutObject`: nothing is read, listed or deleted.',
  tag: 'Recordings',
  sdk: 'recordingBucket.set',
  route: 'PUT /v1/recording-bucket',
  auth: 'organization',
  scope: 'recordings:manage',
  service: 'recording',
  audit: 'required',
  timeoutMs: 15_000,
  body: setRecordingBucketBody,
  output: recordingBucket,
  message: 'Recording bucket set',
  errors: ['RECORDING_BUCKET_REFUSED'],
  example: {
    body: {
      endpoint: 'https://s3.school.example',
      region: 'us-east-1',
      bucket: 'school-recordings',
      prefix: 'classes',
      accessKeyId: 'AKIA4TGH7JK9LM2NP5QR',
      secretAccessKey: 'fictional-secret-of-the-key',
    },
  },
});

export const getRecordingBucket = defineOperation({
  operationId: 'getRecordingBucket',
  summary: 'Get recording bucket',
  description: 'Returns the bucket to which recordings are copied, and whether the last attempt succeeded.',
  tag: 'Recordings',
  sdk: 'recordingBucket.get',
  route: 'GET /v1/recording-bucket',
  auth: 'organization',
  scope: 'recordings:manage',
  service: 'recording',
  output: recordingBucket,
  message: 'Recording bucket',
  errors: ['RECORDING_BUCKET_NOT_FOUND'],
  example: {},
});

export const deleteRecordingBucket = defineOperation({
  operationId: 'deleteRecordingBucket',
  summary: 'Delete recording bucket',
  description: 'Deletes the setting with its key. Copies that wait are given up; those in the bucket stay there.',
  tag: 'Recordings',
  sdk: 'recordingBucket.delete',
  route: 'DELETE /v1/recording-bucket',
  auth: 'organization',
  scope: 'recordings:manage',
  service: 'recording',
  audit: 'required',
  output: z.object({ deletedAt: timestamp.describe('When the setting was deleted.') }),
  message: 'Recording bucket deleted',
  errors: ['RECORDING_BUCKET_NOT_FOUND'],
  example: {},
});
