import type { RunningStack } from './running-stack.js';

type Facts = Pick<RunningStack, 'urls' | 'secrets'>;

/** Address of a stack's storage and the key of one of its users, as the variables that apps read. */
export function storageOf({ urls, secrets }: Facts, user: string) {
  const keys = secrets['s3Secrets'] as unknown as Record<string, string>;
  return { S3_ENDPOINT: urls.s3, S3_BUCKET: 'classroom', S3_ACCESS_KEY_ID: user, S3_SECRET_ACCESS_KEY: keys[user] ?? '' };
}

/** Address of a stack's Redis for one of its users. */
export function redisOf({ urls, secrets }: Facts, user: string): string {
  const url = new URL(urls.redis);
  url.username = user;
  url.password = (secrets['redisPasswords'] as unknown as Record<string, string>)[user] ?? '';
  return url.toString();
}
