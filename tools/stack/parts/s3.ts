import fs from 'node:fs';
import path from 'node:path';
import { statusOf } from '../checks.ts';
import { REPO, type Variables, writePrivate } from '../context.ts';
import type { PartContext, Urls } from '../options.ts';
import { partProcess } from '../process.ts';
import type { Secrets } from '../secrets.ts';
import type { External } from './external.ts';
import type { Tools } from './obtain.ts';

export const BUCKET = 'classroom';
const REGION = 'us-east-1';
/** What each user may do, written by `npm run generate -- users`. */
const POLICY = path.join(REPO, 'deploy', 's3', 'bucket-policy.json');

export function createS3(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const port = ports.parts.s3;
  const folder = path.join(home, 's3');
  const buckets = path.join(folder, 'buckets');
  const metadata = path.join(folder, 'metadata');
  const users = path.join(folder, 'users');
  const handle = partProcess(
    's3',
    {
      // versitygw waits up to 10 s for requests in progress.
      graceMs: 12_000,
      check: async () => (await statusOf(`http://127.0.0.1:${port}/health`)) === 200,
      command: () => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeUsers(users, secrets.s3Secrets);
        // Where versitygw keeps the bucket's policy.
        const settings = path.join(metadata, BUCKET, 'meta');
        fs.mkdirSync(settings, { recursive: true });
        fs.copyFileSync(POLICY, path.join(settings, 'policy'));
        // Without access lists versitygw answers 500 to a user that copies an object. An empty one grants nothing.
        fs.writeFileSync(path.join(settings, 'acl'), '{}');
        // Each folder in there is a bucket.
        fs.mkdirSync(path.join(buckets, BUCKET), { recursive: true });
        // As variables, because every user of the machine can read command-line flags.
        const keys = { ROOT_ACCESS_KEY: secrets.s3AccessKeyId, ROOT_SECRET_KEY: secrets.s3SecretAccessKey };
        const server = [
          '--port',
          `127.0.0.1:${port}`,
          '--region',
          REGION,
          '--health',
          '/health',
          '--keep-alive',
          '--quiet',
          '--iam-dir',
          users,
        ];
        // Metadata is stored in separate files, because not every file system supports extended attributes.
        const command = tools.tool('versitygw', ...server, 'posix', '--sidecar', metadata, buckets);
        return { ...command, env: { ...keys, ...command.env } };
      },
    },
    stack,
  );
  return { handle, url: `http://127.0.0.1:${port}` };
}

function writeUsers(folder: string, keys: Secrets['s3Secrets']): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const accounts = Object.entries(keys).map(([access, secret]) => [
    access,
    { access, secret, role: 'user', userID: 0, groupID: 0, projectID: 0 },
  ]);
  writePrivate(path.join(folder, 'users.json'), JSON.stringify({ accessAccounts: Object.fromEntries(accounts) }));
}

/**
 * The variables with which an app accesses the storage, named as libs/storage reads them. An external storage has one key for all apps.
 */
export function s3Environment(
  app: string,
  urls: Pick<Urls, 's3' | 's3Public'>,
  secrets: Pick<Secrets, 's3AccessKeyId' | 's3SecretAccessKey' | 's3Secrets'>,
  external?: Pick<NonNullable<External['s3']>, 'bucket' | 'region'>,
): Variables {
  const { bucket = BUCKET, region = REGION } = external ?? {};
  const isOwn = !external;
  return {
    S3_ENDPOINT: urls.s3,
    S3_PUBLIC_URL: urls.s3Public,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: isOwn ? app : secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: isOwn ? (secrets.s3Secrets[app] ?? '') : secrets.s3SecretAccessKey,
    ...(isOwn && app === 'recording'
      ? { EGRESS_S3_ACCESS_KEY_ID: 'egress', EGRESS_S3_SECRET_ACCESS_KEY: secrets.s3Secrets['egress'] ?? '' }
      : {}),
  };
}
