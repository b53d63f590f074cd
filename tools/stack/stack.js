'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { APPS } = require('./apps');
const { Interrupted, StackError } = require('./errors');
const { tryLock } = require('./lock');
const { endLeftOvers, ownerId, runDir } = require('./pidfile');
const { stackCache, stackHome } = require('./paths');
const { derivePortBase, layOut, portFrom, refuseTakenPorts, BLOCK } = require('./ports');
const { Progress } = require('./progress');
const { loadSecrets } = require('./secrets');
const { startWatchdog } = require('./watchdog');
const { supervise } = require('./supervisor');
const { ORDER } = require('./process');
const { wipeHome } = require('./wipe');
const { migrate, createApp } = require('./launch');
const { gatherPrograms } = require('./programs');
const { PART_NAMES, externalParts, obtain, createPostgres, createNats, createRedis, localRedisUrl, createLivekit, createS3, s3Environment } = require('./parts');

/** Parts and apps of one home. */
class Stack {
  /** @param {import('./start').StackOptions} options */
  constructor(options) {
    this.options = options;
    this.signal = options.signal;
    this.home = path.resolve(options.home ?? stackHome());
    this.cache = path.resolve(options.cache ?? stackCache());
    this.gatewayPort = options.gatewayPort ?? portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
    const base = options.portBase ?? portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(this.gatewayPort));
    if (base + BLOCK > 65_536) throw new StackError(`STACK_PORT_BASE=${base} leaves no room for ${BLOCK} ports: choose ${65_536 - BLOCK} or less.`);
    this.ports = { gateway: this.gatewayPort, ...layOut(base, APPS.map((app) => app.name)) };
    this.progress = options.progress ?? new Progress({ quiet: options.quiet ?? true });
    this.owner = ownerId();
    /** @type {Record<string, any>} */
    this.urls = { gateway: `http://127.0.0.1:${this.gatewayPort}` };
    /** @type {Record<string, any>} */
    this.secrets = {};
    /** @type {Record<string, Promise<any>>} */
    this.tools = {};
    /** Being got, by name; and where they are. @type {Record<string, Promise<Record<string, string>>>} */
    this.programs = {};
    /** @type {Record<string, string>} */
    this.programEnvironment = {};
    /** @type {Promise<unknown>} */
    this.built = Promise.resolve();
    /** @type {Record<string, any>} */
    this.parts = {};
    /** @type {Record<string, import('./process').ManagedProcess>} */
    this.apps = {};
    /** @type {Promise<void> | undefined} */
    this.stopping = undefined;
  }

  /** The home is ours from here on: no other launcher in it, nothing left of a dead one, ports free. */
  async claim() {
    try {
      fs.mkdirSync(path.join(this.home, 'run'), { recursive: true });
      fs.accessSync(this.home, fs.constants.W_OK);
    } catch (error) {
      const code = /** @type {NodeJS.ErrnoException} */ (error).code;
      if (code === 'ENOSPC') throw error;
      throw new StackError(`${this.home} can't be made or written (${code}): set STACK_HOME to a folder of yours.`);
    }
    const lock = tryLock(path.join(runDir(this.home), 'launcher.pid'));
    if ('holder' in lock) {
      throw new StackError(`A stack already runs in ${this.home} (pid ${lock.holder}): stop it, or start another with STACK_HOME and GATEWAY_PORT set.`, { code: 'running' });
    }
    this.lock = lock;
    const left = await endLeftOvers(this.home);
    if (left.length > 0) this.progress.line(`  ! ended what an earlier start left running: ${left.join(', ')}`);
    this.secrets = loadSecrets(this.home);
    this.external = externalParts(this.options, process.env);
    await refuseTakenPorts(this.wantedPorts());
    this.watchdog = startWatchdog(this.home, this.owner);
  }

  /** @returns {string[]} parts to start here */
  ownParts() {
    const wanted = this.options.parts ?? PART_NAMES;
    return wanted.filter((name) => !this.external?.[name] && !(name === 'livekit' && this.options.livekit === false));
  }

  wantedPorts() {
    const { parts, probes } = this.ports;
    const own = this.ownParts();
    /** @type {Parameters<typeof refuseTakenPorts>[0]} */
    const wanted = own.map((name) => ({ what: name, port: parts[name] }));
    if (own.includes('nats')) wanted.push({ what: "nats's monitor", port: parts.natsMonitor });
    if (own.includes('livekit')) {
      wanted.push({ what: "livekit's media", port: parts.livekitUdp, protocol: 'udp' });
      if (this.options.outside?.nodeIp || (this.options.livekit && this.options.livekit.tcp)) wanted.push({ what: "livekit's media", port: parts.livekitTcp });
    }
    if (this.options.apps?.includes('media')) wanted.push({ what: 'media', port: parts.media });
    for (const app of this.options.apps ?? []) wanted.push({ what: `${app}'s probe`, port: probes[app] });
    if (this.options.apps?.includes('gateway')) wanted.unshift({ what: 'the gateway', port: this.gatewayPort, setting: 'GATEWAY_PORT' });
    return wanted;
  }

  async startParts() {
    const own = this.ownParts();
    for (const [name, it] of Object.entries(this.external ?? {})) {
      this.parts[name] = it.handle;
      await it.handle.ready();
    }
    const { livekit, s3 } = this.external ?? {};
    if (livekit) this.secrets = { ...this.secrets, livekitApiKey: livekit.key, livekitApiSecret: livekit.secret };
    if (s3) this.secrets = { ...this.secrets, s3AccessKeyId: s3.key, s3SecretAccessKey: s3.secret };
    const redisUrl = this.external?.redis?.url ?? localRedisUrl(this.ports.parts.redis, this.secrets.redisPassword);
    Object.assign(this.urls, { redis: redisUrl, nats: this.external?.nats?.url, postgresAdmin: this.external?.postgres?.url });
    if (livekit) Object.assign(this.urls, { livekit: livekit.url, livekitPublic: livekit.publicUrl });
    if (s3) Object.assign(this.urls, { s3: s3.url, s3Public: s3.publicUrl });
    const redisReady = own.includes('redis') ? this.startPart('redis', async (tools) => createRedis(this, tools)) : Promise.resolve();
    // All settle before a failure is told: a stop in between would miss a process that is just being born.
    await allOrFirstFailure([
      redisReady,
      own.includes('postgres') && this.startPart('postgres', async (tools) => {
        const { handle, prepare, adminUrl } = await createPostgres(this, tools);
        this.urls.postgresAdmin = adminUrl;
        return { handle, prepare };
      }),
      own.includes('nats') && this.startPart('nats', async (tools) => {
        const { handle, url } = createNats(this, tools);
        this.urls.nats = url;
        return { handle };
      }),
      own.includes('livekit') && this.startPart('livekit', async (tools) => {
        const { handle, url, publicUrl } = createLivekit(this, tools, { redisUrl });
        Object.assign(this.urls, { livekit: url, livekitPublic: publicUrl });
        return { handle, prepare: () => redisReady };
      }),
      own.includes('s3') && this.startPart('s3', async (tools) => {
        const { handle, url } = createS3(this, tools);
        Object.assign(this.urls, { s3: url, s3Public: this.options.outside?.files ?? url });
        return { handle };
      }),
    ]);
  }

  /** @param {string} name @param {(tools: any) => Promise<{ handle: any, prepare?: () => Promise<unknown> }>} create */
  async startPart(name, create) {
    const tools = await (this.tools[name] ?? obtain(name, { cache: this.cache, signal: this.signal, home: this.home, logDir: path.join(this.home, 'logs') }));
    await this.progress.step(name, async (note) => {
      note(`${tools.version} (${tools.how})`);
      const { handle, prepare } = await create(tools);
      await prepare?.();
      this.refuseWhenInterrupted();
      this.parts[name] = handle;
      await handle.start();
    });
  }

  /** Streams and schemas, then every app at once. @param {string[]} names @param {boolean} isAskedFor by name: then each must run */
  async startApps(names, isAskedFor) {
    this.refuseWhenInterrupted();
    await this.progress.step('migrations', () => migrate(this, names));
    const { environment, running } = await gatherPrograms(APPS.filter((it) => names.includes(it.name)), {
      obtained: this.programs,
      isAskedFor,
      say: (line) => this.progress.line(`  ! ${line}`),
    });
    this.programEnvironment = environment;
    this.refuseWhenInterrupted();
    for (const app of APPS.filter((it) => running.includes(it.name))) this.apps[app.name] = createApp(app, this);
    await allOrFirstFailure(running.map((name) => this.progress.step(name, () => this.apps[name].start())));
  }

  /** The storage's address and keys, in the names that an app reads. @returns {Record<string, string>} */
  s3Environment() {
    return s3Environment(this.urls, this.secrets, this.external?.s3);
  }

  refuseWhenInterrupted() {
    if (this.signal?.aborted) throw new Interrupted();
  }

  /** @returns {import('./process').ManagedProcess[]} */
  processes() {
    return [...Object.values(this.apps), ...Object.values(this.parts).filter((it) => !it.isExternal)];
  }

  superviseAll() {
    this.supervisor = supervise(this.processes(), (line) => this.progress.line(`  ! ${line}`));
  }

  /** Apps first, then LiveKit, then what both use; the data stays. Calling it again waits for the same stop. @param {{ wipe?: boolean }} [how] */
  stop({ wipe = false } = {}) {
    this.stopping ??= (async () => {
      this.supervisor?.stop();
      for (const order of Object.values(ORDER).sort((a, b) => b - a)) {
        await Promise.all(this.processes().filter((it) => it.spec.order === order).map((it) => it.stop()));
      }
      // None should be left; one whose handle got lost in a failed start would be.
      await endLeftOvers(this.home, { owner: this.owner });
      await this.watchdog?.dismiss();
      this.lock?.release();
    })();
    return wipe ? this.stopping.then(() => wipeHome(this.home)) : this.stopping;
  }
}

/** @param {Array<Promise<unknown> | false>} works */
async function allOrFirstFailure(works) {
  const outcomes = await Promise.allSettled(works);
  const failures = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
  if (failures.length > 0) throw failures.find((it) => !(it instanceof Interrupted)) ?? failures[0];
}

module.exports = { Stack, allOrFirstFailure };
