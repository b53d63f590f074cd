import { addressOf, natsAnswers, postgresAnswers, redisAnswers, statusOf } from '../checks.ts';
import { StackError } from '../context.ts';

/** A part that runs elsewhere. It is checked, but never started or stopped. */
export interface ExternalPart {
  url: string;
  /** @throws {StackError} if it does not answer */
  ready: () => Promise<void>;
}

interface Keys {
  publicUrl: string;
  key: string;
  secret: string;
}

/** The external parts, by name. */
export interface External {
  pgbouncer?: undefined;
  clickhouse?: undefined;
  postgres?: ExternalPart;
  nats?: ExternalPart;
  redis?: ExternalPart;
  livekit?: ExternalPart & Keys;
  s3?: ExternalPart & Keys & { bucket: string; region: string | undefined };
}

/** @param setting the variable that names it */
const elsewhere = (name: string, setting: string, url: string, check: () => Promise<boolean>): ExternalPart => ({
  url,
  ready: async () => {
    if (!(await check().catch(() => false)))
      throw new StackError(`The ${name} that ${setting} names does not answer: start it, or unset ${setting}.`);
  },
});

const isServed = async (url: string) => (await statusOf(url)) !== 0;

/**
 * The parts that the environment or the options declare as running elsewhere.
 * @param options `external: false` ignores the environment
 */
export function externalParts(
  options: { external?: boolean; livekit?: false | object; livekitUrl?: string; livekitApiKey?: string; livekitApiSecret?: string },
  env: NodeJS.ProcessEnv,
): External {
  const from = options.external === false ? {} : env;
  const found: External = {};
  const { DATABASE_ADMIN_URL: database, NATS_URL: nats, REDIS_URL: redis } = from;
  if (database) {
    found.postgres = elsewhere('postgres', 'DATABASE_ADMIN_URL', database, async () => {
      const { host, port } = addressOf(database, 5432);
      return postgresAnswers(host, port, decodeURIComponent(new URL(database).pathname.slice(1)) || 'postgres');
    });
  }
  if (nats) {
    found.nats = elsewhere('nats', 'NATS_URL', nats, async () => {
      const { host, port } = addressOf(nats, 4222);
      return natsAnswers(host, port);
    });
  }
  if (redis) {
    found.redis = elsewhere('redis', 'REDIS_URL', redis, async () => {
      const { host, port } = addressOf(redis, 6379);
      const { username, password } = new URL(redis);
      return redisAnswers(host, port, decodeURIComponent(password), decodeURIComponent(username));
    });
  }
  const livekit = options.livekitUrl
    ? { url: options.livekitUrl, key: options.livekitApiKey, secret: options.livekitApiSecret }
    : { url: from.LIVEKIT_URL, key: from.LIVEKIT_API_KEY, secret: from.LIVEKIT_API_SECRET };
  if (livekit.url) {
    const { key = '', secret = '' } = livekit;
    if (options.livekit !== false && !(key && secret))
      throw new StackError('LIVEKIT_URL is set without LIVEKIT_API_KEY and LIVEKIT_API_SECRET: set all three, or none.');
    const http = livekit.url.replace(/^ws/, 'http');
    const publicUrl = from.LIVEKIT_PUBLIC_URL ?? http.replace(/^http/, 'ws');
    found.livekit = { key, secret, publicUrl, ...elsewhere('livekit', 'LIVEKIT_URL', http, () => isServed(http)) };
  }
  const { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: key, S3_SECRET_ACCESS_KEY: secret, S3_REGION: region } = from;
  if (url) {
    if (!(bucket && key && secret))
      throw new StackError('S3_ENDPOINT is set without S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set all four, or none.');
    const publicUrl = from.S3_PUBLIC_URL ?? url;
    found.s3 = { bucket, key, secret, region, publicUrl, ...elsewhere('storage', 'S3_ENDPOINT', url, () => isServed(url)) };
  }
  return found;
}
