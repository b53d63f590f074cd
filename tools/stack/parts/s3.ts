import fs from 'node:fs';
import path from 'node:path';
import { ManagedProcess, ORDER } from '../process.ts';
import { statusOf } from '../checks.ts';
import { commandOf } from './docker.ts';
import type { Tools } from './find.ts';
import type { Variables } from '../apps.ts';
import type { Secrets } from '../secrets.ts';
import type { PartContext, Urls } from '../stack.ts';
import type { External } from './external.ts';

export const BUCKET = 'classroom';
const REGION = 'us-east-1';

export function createS3(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const port = ports.parts.s3;
  const folder = path.join(home, 's3');
  const buckets = path.join(folder, 'buckets');
  const metadata = path.join(folder, 'metadata');
  const handle = new ManagedProcess(
    {
      name: 's3',
      order: ORDER.part,
      // versitygw waits up to 10 s for requests in progress.
      graceMs: 12_000,
      check: async () => (await statusOf(`http://127.0.0.1:${port}/health`)) === 200,
      command: (extraEnv) => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        fs.mkdirSync(metadata, { recursive: true });
        // Each folder in there is a bucket.
        fs.mkdirSync(path.join(buckets, BUCKET), { recursive: true });
        // As variables, because every user of the machine can read command-line flags.
        const keys = { ROOT_ACCESS_KEY: secrets.s3AccessKeyId, ROOT_SECRET_KEY: secrets.s3SecretAccessKey };
        const command = commandOf(tools, 'versitygw', { home, part: 's3', mounts: [folder], variables: Object.keys(keys) });
        return {
          file: command.file,
          args: [
            ...command.args,
            '--port',
            `127.0.0.1:${port}`,
            '--region',
            REGION,
            '--health',
            '/health',
            '--keep-alive',
            '--quiet',
            // Metadata is stored in separate files, because not every file system supports extended attributes.
            'posix',
            '--sidecar',
            metadata,
            buckets,
          ],
          env: { PATH: process.env.PATH ?? '', TZ: 'UTC', ...keys, ...command.env, ...extraEnv },
        };
      },
    },
    stack,
  );
  return { handle, url: `http://127.0.0.1:${port}` };
}

/** The variables with which an app accesses the storage, named as libs/storage reads them. */
export function s3Environment(
  urls: Pick<Urls, 's3' | 's3Public'>,
  secrets: Pick<Secrets, 's3AccessKeyId' | 's3SecretAccessKey'>,
  { bucket = BUCKET, region = REGION }: Partial<Pick<NonNullable<External['s3']>, 'bucket' | 'region'>> = {},
): Variables {
  return {
    S3_ENDPOINT: urls.s3,
    S3_PUBLIC_URL: urls.s3Public,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
  };
}
