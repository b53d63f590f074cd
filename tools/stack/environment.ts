import path from 'node:path';
import { publicCallerKey } from './caller-keys.ts';
import { REPO } from './paths.ts';
import { natsUrlOf } from './parts/nats.ts';
import { redisUrlOf, DB } from './parts/redis.ts';
import { sandboxEnvironment } from './sandbox.ts';
import type { App, Variables } from './apps.ts';
import type { Stack } from './stack.ts';

type StackFacts = Pick<
  Stack,
  'urls' | 'secrets' | 'home' | 'cache' | 'ports' | 'gatewayPort' | 'options' | 'programEnvironment' | 's3Environment'
>;

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

/**
 * @param repo in which the app is built
 * @returns all variables of the app's process
 */
export function appEnvironment(app: App, stack: StackFacts, repo: string = REPO): Variables {
  const { urls, secrets, home, cache, ports, gatewayPort, options } = stack;
  return {
    ...cleanBase(process.env),
    DEPLOYMENT: options.outside ? 'production' : 'local',
    SERVICE_NAME: app.name,
    ROLES: 'service,worker',
    NATS_URL: natsUrlOf(app.name, urls.nats, secrets, repo),
    CALLER_PUBLIC_KEYS: publicCallerKey(secrets.callerSigningKey),
    ...(app.queues ? { REDIS_URL: redisUrlOf(app.name, urls.redis, DB.jobs, secrets, repo) } : {}),
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
    ...app.env({
      secrets,
      urls,
      gatewayPort,
      mediaPort: ports.parts.media,
      repo,
      home,
      s3: stack.s3Environment(app.name, repo),
      programs: stack.programEnvironment,
      ai: options.ai ?? {},
      outside: options.outside ?? { page: urls.gateway, livekit: urls.livekitPublic },
    }),
    ...(options.sandbox ? sandboxEnvironment(home) : {}),
    ...options.env?.all,
    ...options.env?.[app.name],
  };
}
