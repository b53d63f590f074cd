'use strict';

const { APPS } = require('./apps');
const { Stack, allOrFirstFailure } = require('./stack');

/**
 * @typedef {object} StackOptions
 * @property {string} [home] default STACK_HOME or `<repo>/.stack`
 * @property {string} [cache] default STACK_CACHE or `~/.cache/virtual-classroom`
 * @property {number} [gatewayPort] default GATEWAY_PORT or 8080
 * @property {number} [portBase] default STACK_PORT_BASE, else derived from the gateway's port
 * @property {Array<'postgres' | 'nats' | 'redis' | 'livekit' | 's3'>} [parts] default all; LiveKit of ours needs redis
 * @property {string[]} [apps] default all of apps.js whose programs are here (startStack), none (startParts)
 * @property {Record<string, Record<string, string>>} [env] by app name, or `all`: more variables for its process
 * @property {string} [repo] where the apps and their migrations are built, default here
 * @property {Record<string, string>} [ai] variables that name models of the caller's own
 * @property {import('./settings').Outside} [outside] default: this machine alone reaches it
 * @property {{ fsync?: boolean, settings?: Record<string, string | number> }} [postgres]
 * @property {{ syncInterval?: string }} [nats]
 * @property {false | { webhookUrls?: string[], events?: string[], tcp?: boolean, config?: object }} [livekit] false: don't start one; `events`: which
 *   webhooks it sends, by default those we use; `tcp`: also
 *   ICE over TCP, which listens on every address of the machine; `config`: more keys of LiveKit's own configuration
 * @property {string} [livekitUrl] one that runs elsewhere (the simulated one), with its key and secret
 * @property {string} [livekitApiKey]
 * @property {string} [livekitApiSecret]
 * @property {boolean} [external] false: ignore DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, LIVEKIT_URL, S3_ENDPOINT of the environment
 * @property {boolean} [supervise] start again what dies; default false
 * @property {boolean} [quiet] default true
 * @property {import('./progress').Progress} [progress]
 * @property {AbortSignal} [signal] ends a start that is under way
 * @property {() => { tools: Record<string, Promise<any>>, programs: Record<string, Promise<Record<string, string>>>, built: Promise<unknown> }} [prepare] called once the home is ours;
 *   gives the parts and programs that are being obtained, and what the migrations wait for
 */

/**
 * The real parts on loopback, each ready when this resolves. A failure stops what had started.
 * @param {StackOptions} [options] @returns {Promise<Stack>}
 */
async function startParts(options = {}) {
  const stack = new Stack({ apps: [], ...options });
  return launch(stack, async () => { await stack.startParts(); });
}

/**
 * Parts, migrations and apps, each ready when this resolves. The repository must be built.
 * @param {StackOptions} [options] @returns {Promise<Stack>}
 */
async function startStack(options = {}) {
  const apps = options.apps ?? APPS.map((app) => app.name);
  const stack = new Stack({ ...options, apps });
  return launch(stack, async () => {
    await allOrFirstFailure([stack.startParts(), stack.built]);
    await stack.startApps(apps, options.apps !== undefined);
  });
}

/** @param {Stack} stack @param {() => Promise<void>} work */
async function launch(stack, work) {
  try {
    await stack.claim();
    if (stack.options.prepare) Object.assign(stack, stack.options.prepare());
    await work();
    if (stack.options.supervise) stack.superviseAll();
    return stack;
  } catch (error) {
    if (stack.lock) await stack.stop();
    throw error;
  }
}

module.exports = { startParts, startStack };
