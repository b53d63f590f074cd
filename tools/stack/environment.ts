import path from 'node:path';
import type { App } from './apps.ts';
import { REPO, type Variables } from './context.ts';
import type { PartContext, Urls } from './options.ts';
import { natsUrlOf } from './parts/nats.ts';
import { DB, redisUrlOf } from './parts/redis.ts';
import { sandboxEnvironment } from './sandbox.ts';
import { publicCallerKey } from './secrets.ts';

/** The fields of a stack from which the processes of its apps are made. */
export interface AppContext extends PartContext {
  cache: string;
  urls: Urls;
  /** Paths of the programs. */
  programEnvironment: Variables;
  /** Address of the storage and the app's key, as the variables that the app reads. */
  s3Environment(app: string): Variables;
}

type StackFacts = Omit<AppContext, 'owner' | 'signal'>;

/** Variables of the caller that apps get, together with OTEL_*. All others are left out, so that a stack behaves the same on every machine. */
const PASSED_VARIABLES = ['LOG_LEVEL', 'FAILPOINTS', 'CLOCK'];

/**
 * Frees memory that only the start needed: glibc then returns every free megabyte at the end of its heap, and its threads share what they have
 * freed. The image sets them as well.
 */
export const MEMORY: Variables = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' };

export function cleanBase(env: NodeJS.ProcessEnv): Variables {
  const base: Variables = { PATH: env.PATH ?? '/usr/bin:/bin', HOME: env.HOME ?? '/', LANG: env.LANG ?? 'C.UTF-8', TZ: 'UTC' };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (name.startsWith('OTEL_') || PASSED_VARIABLES.includes(name))) base[name] = value;
  }
  return base;
}

/** The database URL of the app's own role. */
export function databaseUrl(adminUrl: string, app: string, password: string) {
  const url = new URL(adminUrl);
  url.username = `classroom_${app}`;
  url.password = password;
  return url.toString();
}

/** The variables that only some app gets, by app. */
function ownVariables(
  { urls, secrets, home, ports, gatewayPort, options, programEnvironment }: StackFacts,
  repo: string,
): Record<string, Variables> {
  const { page, livekit, proxies } = options.outside ?? { page: urls.gateway, livekit: urls.livekitPublic };
  return {
    organization: { WEBHOOK_KEY_SECRET: secrets.webhookKeySecret },
    room: { CLASSROOM_TOKEN_SECRET: secrets.classroomTokenSecret, CLASSROOM_URL: page, LIVEKIT_PUBLIC_URL: livekit },
    gateway: {
      CACHE_REDIS_URL: redisUrlOf('gateway', urls.redis, DB.cache, secrets),
      DISPATCH_SECRET: secrets.dispatchSecret,
      ...(process.env.OPERATORS ? { OPERATORS: process.env.OPERATORS } : {}),
      DASHBOARD_TOKEN_SECRET: secrets.dashboardTokenSecret,
      CALLER_SIGNING_KEY: secrets.callerSigningKey,
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: String(gatewayPort),
      CLASSROOM_URL: page,
      CONSOLE_ASSETS: `${repo}/apps/console/dist`,
      LANDING_LINKS: `${home}/links.json`,
      LIVEKIT_PUBLIC_URL: livekit,
      MEDIA_URL: page,
      MEDIA_INTERNAL_URL: `http://127.0.0.1:${ports.parts.media}`,
      ...(proxies ? { TRUSTED_PROXIES: proxies } : {}),
    },
    recording: {
      RECORDING_ENGINE: 'embedded',
      RECORDING_PAGE_URL: `${urls.gateway}/recording`,
      RECORDING_KEY_SECRET: secrets.recordingKeySecret,
    },
    // Chromium has no sandbox for root.
    recorder: { ...programEnvironment, RECORDER_HOME: `${home}/recorder`, RECORDER_SLOTS: '1', CHROMIUM_SANDBOX: 'auto' },
    media: {
      ...programEnvironment,
      MEDIA_HOST: '127.0.0.1',
      MEDIA_PORT: String(ports.parts.media),
      // Served through the gateway's address, like the page and the recordings.
      MEDIA_URL: page,
      CLASSROOM_URL: page,
      MEDIA_SIGNING_KEYS: `local:${secrets.mediaSigningKey}`,
      MEDIA_WORK_HOME: `${home}/media`,
    },
    ai: { ...options.ai, ...programEnvironment, AI_KEY_SECRET: secrets.aiKeySecret },
  };
}

/** Apps without files in the storage. */
const WITHOUT_STORAGE = ['room', 'billing'];

/**
 * @param repo in which the app is built
 * @returns all variables of the app's process
 */
export function appEnvironment(app: App, stack: StackFacts, repo: string = REPO): Variables {
  const { urls, secrets, home, cache, ports, options } = stack;
  return {
    ...cleanBase(process.env),
    DEPLOYMENT: options.outside ? 'production' : 'local',
    SERVICE_NAME: app.name,
    ROLES: 'service,worker',
    NATS_URL: natsUrlOf(app.name, urls.nats, secrets),
    CALLER_PUBLIC_KEYS: publicCallerKey(secrets.callerSigningKey),
    ...(app.queues ? { REDIS_URL: redisUrlOf(app.name, urls.redis, DB.jobs, secrets) } : {}),
    ...(app.schema
      ? { DATABASE_URL: databaseUrl(urls.pgbouncer ?? urls.postgresAdmin, app.name, secrets.databasePasswords[app.name] ?? '') }
      : {}),
    ...(app.livekit
      ? {
          LIVEKIT_URL: urls.livekit,
          LIVEKIT_PUBLIC_URL: urls.livekitPublic,
          LIVEKIT_API_KEY: secrets.livekitApiKey,
          LIVEKIT_API_SECRET: secrets.livekitApiSecret,
        }
      : {}),
    PROBE_PORT: String(ports.probes[app.name]),
    TRACE_FILE: path.join(home, 'traces', `${app.name}.jsonl`),
    NODE_COMPILE_CACHE: path.join(cache, 'compile'),
    ...MEMORY,
    ...(WITHOUT_STORAGE.includes(app.name) ? {} : stack.s3Environment(app.name)),
    ...ownVariables(stack, repo)[app.name],
    ...(options.sandbox ? sandboxEnvironment(home) : {}),
    ...options.env?.all,
    ...options.env?.[app.name],
  };
}
