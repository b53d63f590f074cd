import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { storageOf, TestStack } from '@classroom/testing';
import { ObjectStorage, STORAGE_ACCESS, storageConfig, type StorageRight, type StorageUser } from '../src/index.js';

const Bucket = 'classroom';
const USERS = Object.keys(STORAGE_ACCESS) as StorageUser[];
const PREFIXES = ['ai-inputs/', 'audit-heads/', 'documents/', 'erasures/', 'exports/', 'recordings/', 'videos/', 'elsewhere/'];
const RIGHTS: StorageRight[] = ['read', 'write', 'resume', 'delete', 'list'];

describe('the key of a service', () => {
  let stack: TestStack;
  let root: S3Client;
  const clients = new Map<StorageUser, S3Client>();

  const connect = (user: StorageUser, secret = storageOf(stack, user).S3_SECRET_ACCESS_KEY) =>
    new S3Client({
      endpoint: stack.urls.s3,
      region: 'us-east-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: user, secretAccessKey: secret },
    });

  beforeAll(async () => {
    stack = await TestStack.parts(['s3']);
    const { s3AccessKeyId: accessKeyId = '', s3SecretAccessKey: secretAccessKey = '' } = stack.secrets;
    root = new S3Client({
      endpoint: stack.urls.s3,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    for (const user of USERS) clients.set(user, connect(user));
  });

  afterAll(async () => {
    for (const client of [root, ...clients.values()]) client?.destroy();
    await stack?.stop();
  });

  /** HTTP status of the answer; 200 for any success. */
  const statusOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      (error: S3ServiceException) => error.$metadata.httpStatusCode,
    );

  /** Status by attempt. Each works on objects that the root key has made. */
  async function attempts(client: S3Client, prefix: string, right: StorageRight): Promise<Record<string, number | undefined>> {
    const Key = `${prefix}tenant/object`;
    await root.send(new PutObjectCommand({ Bucket, Key, Body: 'content' }));
    const { UploadId } = await root.send(new CreateMultipartUploadCommand({ Bucket, Key: `${Key}.parts` }));
    const parts = { Bucket, Key: `${Key}.parts`, UploadId };
    const calls: Record<StorageRight, Record<string, () => Promise<unknown>>> = {
      read: {
        get: () => client.send(new GetObjectCommand({ Bucket, Key })),
        head: () => client.send(new HeadObjectCommand({ Bucket, Key })),
      },
      write: {
        put: () => client.send(new PutObjectCommand({ Bucket, Key, Body: 'other' })),
        begin: () => client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${Key}.new` })),
        abort: () => client.send(new AbortMultipartUploadCommand(parts)),
      },
      resume: { parts: () => client.send(new ListPartsCommand(parts)) },
      delete: { delete: () => client.send(new DeleteObjectCommand({ Bucket, Key })) },
      list: { list: () => client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix })) },
      abort: {},
    };
    const statuses: Record<string, number | undefined> = {};
    for (const [name, call] of Object.entries(calls[right])) statuses[name] = await statusOf(call());
    await statusOf(root.send(new AbortMultipartUploadCommand(parts)));
    return statuses;
  }

  const rightsOf = (user: StorageUser, prefix: string): readonly StorageRight[] =>
    (STORAGE_ACCESS[user] as Record<string, readonly StorageRight[]>)[prefix] ?? [];

  it.each(USERS)('%s may do what is declared for it, and is refused everything else', async (user) => {
    const client = clients.get(user) as S3Client;
    for (const prefix of PREFIXES) {
      for (const right of RIGHTS) {
        const rights = rightsOf(user, prefix);
        for (const [name, status] of Object.entries(await attempts(client, prefix, right))) {
          // The right to abort uploads includes this one.
          const isAllowed = rights.includes(right) || (name === 'abort' && rights.includes('abort'));
          expect([prefix, name, status]).toEqual([prefix, name, isAllowed ? 200 : 403]);
        }
      }
    }
  });

  it.each(USERS)('%s may not list the whole bucket, delete many foreign objects, or change the bucket', async (user) => {
    const client = clients.get(user) as S3Client;
    const Key = 'elsewhere/kept';
    await root.send(new PutObjectCommand({ Bucket, Key, Body: 'content' }));
    const refused = [
      new ListObjectsV2Command({ Bucket }),
      new ListObjectsV2Command({ Bucket, Prefix: 're' }),
      new GetBucketPolicyCommand({ Bucket }),
      new DeleteBucketPolicyCommand({ Bucket }),
      new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } }),
      new DeleteBucketCommand({ Bucket }),
      new CopyObjectCommand({ Bucket, Key: 'elsewhere/copy', CopySource: `${Bucket}/${Key}` }),
    ];
    const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    for (const command of refused)
      expect([command.constructor.name, await statusOf(send(command))]).toEqual([command.constructor.name, 403]);
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }] } }));
    expect(Errors).toMatchObject([{ Key, Code: 'AccessDenied' }]);
    expect(await statusOf(root.send(new HeadObjectCommand({ Bucket, Key })))).toBe(200);
    const isAborting = Object.values(STORAGE_ACCESS[user]).some((rights: readonly StorageRight[]) => rights.includes('abort'));
    expect(await statusOf(client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'videos/' })))).toBe(isAborting ? 200 : 403);
  });

  it('lets media copy a recording to a video, and nothing to the recordings', async () => {
    const media = clients.get('media') as S3Client;
    for (const Key of ['recordings/film', 'videos/film']) await root.send(new PutObjectCommand({ Bucket, Key, Body: 'content' }));
    const copy = (from: string, to: string) =>
      statusOf(media.send(new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` })));
    expect(await copy('recordings/film', 'videos/copy')).toBe(200);
    expect(await copy('videos/film', 'recordings/film')).toBe(403);
    expect(await copy('ai-inputs/tenant/object', 'videos/copy')).toBe(403);
  });

  it.each(USERS)('%s distinguishes an absent object from one that it may not read, and reports a storage that it reaches', async (user) => {
    const storage = new ObjectStorage(storageConfig.parse(storageOf(stack, user)));
    await storage.ping();
    for (const prefix of PREFIXES.filter((it) => rightsOf(user, it).includes('read')))
      expect(await storage.head(`${prefix}tenant/absent`)).toBeUndefined();
    await expect(storage.head('elsewhere/absent')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    storage.close();
  });

  it('is refused with a wrong secret', async () => {
    const client = connect('media', 'x'.repeat(40));
    expect(await statusOf(client.send(new GetObjectCommand({ Bucket, Key: 'videos/film' })))).toBe(403);
    client.destroy();
  });

  it("may come from AWS's default credentials instead of the configuration", async () => {
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, ...address } = storageOf(stack, 'recorder');
    expect(() => new ObjectStorage(storageConfig.parse({ ...address, S3_ACCESS_KEY_ID }))).toThrow('set both S3_ACCESS_KEY_ID and');
    const before = process.env;
    process.env = { ...before, AWS_ACCESS_KEY_ID: S3_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY };
    try {
      const storage = new ObjectStorage(storageConfig.parse(address));
      await storage.ping();
      storage.close();
    } finally {
      process.env = before;
    }
  });
});
