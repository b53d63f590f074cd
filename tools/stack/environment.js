'use strict';

const path = require('node:path');
const { REPO } = require('./paths');
const { withDatabase, DB } = require('./parts/redis');

/** What of the caller's environment reaches an app; all else stays out, so that a stack behaves alike on every machine. */
const PASSED = ['LOG_LEVEL', 'FAILPOINTS', 'CLOCK'];

/** @param {NodeJS.ProcessEnv} env @returns {Record<string, string>} */
function cleanBase(env) {
  /** @type {Record<string, string>} */
  const base = { PATH: env.PATH ?? '/usr/bin:/bin', HOME: env.HOME ?? '/', LANG: env.LANG ?? 'C.UTF-8', TZ: 'UTC' };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (name.startsWith('OTEL_') || PASSED.includes(name))) base[name] = value;
  }
  return base;
}

/** The app's own role in the database. @param {string} adminUrl @param {string} app @param {string} password */
function databaseUrl(adminUrl, app, password) {
  const url = new URL(adminUrl);
  url.username = `classroom_${app}`;
  url.password = password;
  return url.toString();
}

/**
 * @param {import('./apps').APPS[number]} app @param {any} stack @param {string} [repo] where it is built
 * @returns {Record<string, string>} the whole environment of the app's process
 */
function appEnvironment(app, stack, repo = REPO) {
  const { urls, secrets, home, cache, ports, gatewayPort, options } = stack;
  return {
    ...cleanBase(process.env),
    DEPLOYMENT: options.outside ? 'production' : 'local',
    SERVICE_NAME: app.name,
    ROLES: 'service,worker',
    NATS_URL: urls.nats,
    ...(app.queues ? { REDIS_URL: withDatabase(urls.redis, DB.jobs) } : {}),
    ...(app.schema ? { DATABASE_URL: databaseUrl(urls.postgresAdmin, app.name, secrets.databasePasswords[app.name]) } : {}),
    ...(app.livekit ? {
      LIVEKIT_URL: urls.livekit,
      LIVEKIT_PUBLIC_URL: urls.livekitPublic,
      LIVEKIT_API_KEY: secrets.livekitApiKey,
      LIVEKIT_API_SECRET: secrets.livekitApiSecret,
    } : {}),
    PROBE_PORT: String(ports.probes[app.name]),
    TRACE_FILE: path.join(home, 'traces', `${app.name}.jsonl`),
    NODE_COMPILE_CACHE: path.join(cache, 'compile'),
    ...app.env({
      secrets, urls, gatewayPort, mediaPort: ports.parts.media, repo, home, s3: stack.s3Environment(), programs: stack.programEnvironment, ai: options.ai ?? {},
      outside: options.outside ?? { page: urls.gateway, livekit: urls.livekitPublic },
    }),
    ...options.env?.all,
    ...options.env?.[app.name],
  };
}

module.exports = { cleanBase, databaseUrl, appEnvironment };
