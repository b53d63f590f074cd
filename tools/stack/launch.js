'use strict';

const path = require('node:path');
const fs = require('node:fs');
const { APPS } = require('./apps');
const { ManagedProcess, ORDER } = require('./process');
const { statusOf } = require('./checks');
const { appEnvironment, cleanBase } = require('./environment');
const { REPO } = require('./paths');
const { HeldSocket } = require('./held-socket');
const { rotate } = require('./logs');
const { run } = require('./run');
const { nodeBinary } = require('./toolchain');
const { StackError } = require('./errors');

/** @param {string} file @param {string} [repo] @returns {string} @throws {StackError} when it isn't built */
function builtFile(file, repo = REPO) {
  const full = path.join(repo, file);
  if (!fs.existsSync(full)) throw new StackError(`${file} is missing: build first (npm start does).`);
  return full;
}

/**
 * Everything an app expects to find: JetStream streams, and each schema by its owner. All at once.
 * @param {any} stack @param {string[]} names @param {string} [repo] whose migrations
 */
async function migrate(stack, names, repo = stack.options.repo ?? REPO) {
  const { urls, home, cache, signal } = stack;
  const logFile = path.join(home, 'logs', 'migrations.log');
  const env = { ...cleanBase(process.env), DEPLOYMENT: 'local', NODE_COMPILE_CACHE: path.join(cache, 'compile') };
  const one = (/** @type {string} */ what, /** @type {string} */ file, /** @type {Record<string, string>} */ more) =>
    run(nodeBinary(), [builtFile(file, repo)], { cwd: repo, env: { ...env, ...more }, logFile, home, what, signal });
  const schemas = APPS.filter((app) => app.schema && names.includes(app.name));
  const outcomes = await Promise.allSettled([
    one('Applying the JetStream streams', 'libs/messaging/dist/streams/apply.js', { NATS_URL: urls.nats }),
    ...schemas.map((app) => one(`The migration of ${app.name}`, `apps/${app.name}/dist/migrate.js`, {
      ...appEnvironment(app, stack), DATABASE_ADMIN_URL: urls.postgresAdmin,
    })),
  ]);
  const failed = outcomes.find((it) => it.status === 'rejected');
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/**
 * @param {import('./apps').APPS[number]} app @param {any} stack
 * @param {{ name?: string, repo?: string, env?: Record<string, string> }} [how] one beside the first: its name, built where, and what it
 *   can't share with the first (ports)
 */
function createApp(app, stack, { name = app.name, repo = stack.options.repo ?? REPO, env = {} } = {}) {
  const traces = path.join(stack.home, 'traces', `${name}.jsonl`);
  rotate(traces);
  // Only where a crash is followed by a restart: callers would wait for ever otherwise. A second process has a port of its own.
  const held = stack.options.supervise && name === app.name ? app.socket?.(stack) : undefined;
  const environment = () => ({ ...appEnvironment(app, stack, repo), TRACE_FILE: traces, ...(held ? { [held.variable]: '3' } : {}), ...env });
  const { PROBE_PORT, DRAIN_SECONDS = 25 } = environment();
  const probe = `http://127.0.0.1:${PROBE_PORT}/readyz`;
  return new ManagedProcess({
    name,
    order: ORDER.app,
    // Longer than an app's own limit: it must get to tell that it gave up.
    graceMs: (Number(DRAIN_SECONDS) + 5) * 1000,
    check: async () => (await statusOf(probe)) === 200,
    ...(held ? { socket: new HeldSocket(held.host, held.port) } : {}),
    command: (extraEnv) => ({
      file: nodeBinary(),
      args: ['-r', builtFile('libs/platform/dist/telemetry/register.js', repo), builtFile(`apps/${app.name}/dist/main.js`, repo)],
      cwd: repo,
      env: { ...environment(), ...extraEnv },
    }),
  }, stack);
}

module.exports = { migrate, createApp };
