import { StackError } from '../errors.ts';
import { addressOf, natsAnswers, postgresAnswers, redisAnswers, statusOf } from '../checks.ts';
import type { Exit, Handle } from '../process.ts';
import type { StackOptions } from '../start.ts';

/** A part that runs elsewhere. It is checked, but never started or stopped. */
class ExternalPart implements Handle {
  readonly name: string;
  readonly pid = undefined;
  readonly logFile = undefined;
  readonly exited: Promise<Exit> = Promise.resolve({ code: null, signal: null });
  private readonly setting: string;
  private readonly check: () => Promise<boolean>;

  /** @param setting the variable that names it */
  constructor(name: string, setting: string, check: () => Promise<boolean>) {
    this.name = name;
    this.setting = setting;
    this.check = check;
  }

  async ready(): Promise<void> {
    const { name, setting, check } = this;
    if (!(await check().catch(() => false)))
      throw new StackError(`The ${name} that ${setting} names does not answer: start it, or unset ${setting}.`);
  }

  async start(): Promise<void> {
    await this.ready();
  }
  async stop(): Promise<Exit> {
    return this.exited;
  }
  async kill(): Promise<Exit> {
    throw new StackError(`${this.name} runs elsewhere and is not ours to kill.`);
  }
  async restart(): Promise<void> {
    throw new StackError(`${this.name} runs elsewhere and is not ours to restart.`);
  }
}

interface ExternalService {
  url: string;
  handle: Handle;
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
  postgres?: ExternalService;
  nats?: ExternalService;
  redis?: ExternalService;
  livekit?: ExternalService & Keys;
  s3?: ExternalService & Keys & { bucket: string; region: string | undefined };
}

/** The parts that the options or the environment declare as running elsewhere. */
export function externalParts(
  options: Pick<StackOptions, 'external' | 'livekit' | 'livekitUrl' | 'livekitApiKey' | 'livekitApiSecret'>,
  env: NodeJS.ProcessEnv,
): External {
  const from = options.external === false ? {} : env;
  const found: External = {};
  const take = (part: 'postgres' | 'nats' | 'redis', setting: string, check: (url: string) => Promise<boolean>) => {
    const url = from[setting];
    if (url) found[part] = { url, handle: new ExternalPart(part, setting, () => check(url)) };
  };
  take('postgres', 'DATABASE_ADMIN_URL', (url) => {
    const { host, port } = addressOf(url, 5432);
    return postgresAnswers(host, port, decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres');
  });
  take('nats', 'NATS_URL', (url) => {
    const { host, port } = addressOf(url, 4222);
    return natsAnswers(host, port);
  });
  take('redis', 'REDIS_URL', (url) => {
    const { host, port } = addressOf(url, 6379);
    const { username, password } = new URL(url);
    return redisAnswers(host, port, decodeURIComponent(password), decodeURIComponent(username));
  });
  const livekit = options.livekitUrl
    ? { url: options.livekitUrl, key: options.livekitApiKey, secret: options.livekitApiSecret }
    : { url: from.LIVEKIT_URL, key: from.LIVEKIT_API_KEY, secret: from.LIVEKIT_API_SECRET };
  if (livekit.url) {
    const { key = '', secret = '' } = livekit;
    if (options.livekit !== false && !(key && secret)) {
      throw new StackError('LIVEKIT_URL is set without LIVEKIT_API_KEY and LIVEKIT_API_SECRET: set all three, or none.');
    }
    const http = livekit.url.replace(/^ws/, 'http');
    found.livekit = {
      key,
      secret,
      url: http,
      publicUrl: from.LIVEKIT_PUBLIC_URL ?? http.replace(/^http/, 'ws'),
      handle: new ExternalPart('livekit', 'LIVEKIT_URL', async () => (await statusOf(http)) !== 0),
    };
  }
  const { S3_ENDPOINT: url, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: key, S3_SECRET_ACCESS_KEY: secret } = from;
  if (url) {
    if (!(bucket && key && secret)) {
      throw new StackError('S3_ENDPOINT is set without S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set all four, or none.');
    }
    found.s3 = {
      url,
      bucket,
      key,
      secret,
      publicUrl: from.S3_PUBLIC_URL ?? url,
      region: from.S3_REGION,
      handle: new ExternalPart('storage', 'S3_ENDPOINT', async () => (await statusOf(url)) !== 0),
    };
  }
  return found;
}
