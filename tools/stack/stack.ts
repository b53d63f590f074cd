import fs from 'node:fs';
import path from 'node:path';
import { APP_NAMES, APPS } from './apps.ts';
import { codeOf, Interrupted, stackCache, StackError, stackHome, type Variables } from './context.ts';
import type { AppContext } from './environment.ts';
import { blankOf, copyTemplate, wipeHome } from './home.ts';
import { createApp, migrate } from './launch.ts';
import type { Prepared, StackOptions, Urls } from './options.ts';
import { createClickhouse } from './parts/clickhouse.ts';
import { type External, externalParts } from './parts/external.ts';
import type { PartName } from './parts/install.ts';
import { createLivekit } from './parts/livekit.ts';
import { createNats } from './parts/nats.ts';
import { obtain, PART_NAMES, type Tools } from './parts/obtain.ts';
import { createPgbouncer } from './parts/pgbouncer.ts';
import { createPostgres } from './parts/postgres.ts';
import { createRedis, localRedisUrl } from './parts/redis.ts';
import { createS3, s3Environment } from './parts/s3.ts';
import { endOrphans, type Lock, ownerId, runDir, startWatchdog, tryLock } from './pidfile.ts';
import { pickPorts, type Ports, portsFrom, refuseTakenPorts, type WantedPort } from './ports.ts';
import { type ManagedProcess, ORDER } from './process.ts';
import { gatherPrograms } from './programs.ts';
import { Progress } from './progress.ts';
import { appsOf, createSandbox, createSimulatedLivekit, keepClock, refuseOutside } from './sandbox.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { supervise } from './supervisor.ts';

interface NewPart {
  handle: ManagedProcess;
  /** Its addresses. */
  urls?: Partial<Urls>;
  /** What is to be done before it starts. */
  prepare?: () => Promise<unknown>;
}

/** The parts and apps of one home. */
export class Stack implements AppContext {
  readonly options: StackOptions;
  readonly signal: AbortSignal | undefined;
  readonly home: string;
  readonly cache: string;
  readonly gatewayPort: number;
  readonly ports: Ports & { gateway: number };
  readonly progress: Progress;
  readonly owner: string;
  /** Complete once the parts are ready. */
  readonly urls: Urls;
  secrets = {} as Secrets;
  /** Parts and programs that are being obtained, and the build. */
  prepared: Pick<Prepared, 'built' | 'tools' | 'programs'> = { built: Promise.resolve(), tools: {}, programs: {} };
  programEnvironment: Variables = {};
  /** The parts that were started here. */
  readonly parts = {} as Record<PartName, ManagedProcess>;
  readonly apps: Record<string, ManagedProcess> = {};
  lock: Lock | undefined;
  private readonly own: ManagedProcess[] = [];
  private external: External = {};
  private dismissWatchdog: (() => Promise<void>) | undefined;
  private endSupervision: (() => void) | undefined;
  private stopping: Promise<void> | undefined;

  constructor(options: StackOptions) {
    this.options = options;
    this.signal = options.signal;
    this.home = path.resolve(options.home ?? stackHome());
    this.cache = path.resolve(options.cache ?? stackCache());
    this.ports = portsFrom(APP_NAMES, options);
    this.gatewayPort = this.ports.gateway;
    this.progress = options.progress ?? new Progress({ quiet: options.quiet ?? true });
    this.owner = ownerId();
    this.urls = { gateway: `http://127.0.0.1:${this.gatewayPort}` } as Urls;
  }

  /** Claims the home: makes sure that no other launcher uses it, ends processes of a dead one, and checks that the ports are free. */
  async claim(): Promise<void> {
    try {
      fs.mkdirSync(path.join(this.home, 'run'), { recursive: true });
      fs.accessSync(this.home, fs.constants.W_OK);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOSPC') throw error;
      throw new StackError(`${this.home} can't be made or written (${code}): set STACK_HOME to a folder of yours.`);
    }
    const lock = tryLock(path.join(runDir(this.home), 'launcher.pid'));
    if ('holder' in lock) {
      throw new StackError(
        `A stack already runs in ${this.home} (pid ${lock.holder}): stop it, or start another with STACK_HOME and GATEWAY_PORT set.`,
        { code: 'running' },
      );
    }
    this.lock = lock;
    const left = await endOrphans(this.home);
    if (left.length > 0) this.progress.line(`  ! ended what an earlier start left running: ${left.join(', ')}`);
    if (this.options.template) copyTemplate(this.options.template, this.home);
    if (this.options.sandbox) keepClock(this.home);
    this.secrets = loadSecrets(this.home);
    this.external = externalParts(this.options, process.env);
    await refuseTakenPorts(this.wantedPorts());
    this.dismissWatchdog = startWatchdog(this.home, this.owner);
  }

  /** @returns the parts to start here */
  private ownParts(): PartName[] {
    const wanted = this.options.parts ?? PART_NAMES;
    return wanted.filter((name) => !this.external[name] && !(name === 'livekit' && this.options.livekit === false));
  }

  private wantedPorts(): WantedPort[] {
    const { parts, probes } = this.ports;
    const own = this.ownParts();
    const { apps = [], sandbox, outside } = this.options;
    const all: (WantedPort | false)[] = [
      apps.includes('gateway') && { what: 'the gateway', port: this.gatewayPort, setting: 'GATEWAY_PORT' },
      ...own.map((name) => ({ what: name, port: parts[name] })),
      own.includes('nats') && { what: "nats's monitor", port: parts.natsMonitor },
      own.includes('livekit') && { what: "livekit's media", port: parts.livekitUdp, protocol: 'udp' },
      own.includes('livekit') && outside?.nodeIp !== undefined && { what: "livekit's media", port: parts.livekitTcp },
      sandbox === true && { what: 'the sandbox', port: parts.sandbox },
      apps.includes('media') && { what: 'media', port: parts.media },
      ...apps.map((app) => ({ what: `${app}'s probe`, port: probes[app] ?? NaN })),
    ];
    return all.filter((it) => it !== false);
  }

  async startParts(): Promise<void> {
    const own = this.ownParts();
    for (const name of PART_NAMES) await this.external[name]?.ready();
    const { livekit, s3, nats, postgres } = this.external;
    if (livekit) this.secrets = { ...this.secrets, livekitApiKey: livekit.key, livekitApiSecret: livekit.secret };
    if (s3) this.secrets = { ...this.secrets, s3AccessKeyId: s3.key, s3SecretAccessKey: s3.secret };
    const redis = this.external.redis?.url ?? localRedisUrl(this.ports.parts.redis, this.secrets.redisPassword);
    Object.assign(this.urls, { redis, nats: nats?.url, postgresAdmin: postgres?.url });
    if (livekit) Object.assign(this.urls, { livekit: livekit.url, livekitPublic: livekit.publicUrl });
    if (s3) Object.assign(this.urls, { s3: s3.url, s3Public: s3.publicUrl });
    const at = (name: keyof Urls, { url, ...part }: NewPart & { url: string }): NewPart => ({ ...part, urls: { [name]: url } });
    const create: Record<PartName, (tools: Tools) => NewPart | Promise<NewPart>> = {
      redis: (tools) => createRedis(this, tools),
      postgres: async (tools) => at('postgresAdmin', await createPostgres(this, tools)),
      pgbouncer: (tools) => at('pgbouncer', createPgbouncer(this, tools)),
      clickhouse: (tools) => at('clickhouse', createClickhouse(this, tools)),
      nats: (tools) => at('nats', createNats(this, tools)),
      livekit: (tools) => ({ ...createLivekit(this, tools, { redisUrl: redis }), prepare: () => redisReady }),
      s3: (tools) => {
        const { handle, url } = createS3(this, tools);
        return { handle, urls: { s3: url, s3Public: this.options.outside?.files ?? url } };
      },
    };
    const start = (name: PartName) =>
      name === 'livekit' && this.options.sandbox ? this.startSimulatedLivekit() : this.startPart(name, create[name]);
    const redisReady = own.includes('redis') ? start('redis') : Promise.resolve();
    // Waits for all before a failure is thrown: otherwise a stop could miss a process that is just being started.
    await allOrFirstFailure([redisReady, ...own.filter((name) => name !== 'redis').map(start)]);
  }

  private async startPart(name: PartName, create: (tools: Tools) => NewPart | Promise<NewPart>): Promise<void> {
    const { home, cache, signal } = this;
    const tools = await (this.prepared.tools[name] ?? obtain(name, { cache, signal, home }));
    await this.runPart(name, `${tools.version} (${tools.how})`, () => create(tools));
  }

  private async startSimulatedLivekit(): Promise<void> {
    await this.prepared.built;
    await this.runPart('livekit', 'simulated', () => createSimulatedLivekit(this));
  }

  private runPart(name: PartName, origin: string, create: () => NewPart | Promise<NewPart>): Promise<void> {
    return this.progress.step(name, async (note) => {
      note(origin);
      const { handle, prepare, urls } = await create();
      Object.assign(this.urls, urls);
      await prepare?.();
      this.refuseWhenInterrupted();
      this.parts[name] = handle;
      this.own.push(handle);
      await handle.start();
    });
  }

  /** Applies streams and schemas, then starts all apps in parallel. @param isAskedFor requested by name: then each app must run */
  async startApps(names: string[], isAskedFor: boolean): Promise<void> {
    this.refuseWhenInterrupted();
    if (!this.options.template) await this.progress.step('migrations', () => migrate(this, names));
    const { environment, running } = await gatherPrograms(
      APPS.filter((it) => names.includes(it.name)),
      {
        obtained: this.prepared.programs,
        isAskedFor,
        say: (line) => this.progress.line(`  ! ${line}`),
      },
    );
    this.programEnvironment = environment;
    this.refuseWhenInterrupted();
    const handles = APPS.filter((it) => running.includes(it.name)).map((app) => (this.apps[app.name] = createApp(app, this)));
    await allOrFirstFailure(handles.map((handle) => this.progress.step(handle.name, () => handle.start())));
    if (!this.options.sandbox) return;
    const sandbox = createSandbox(this);
    this.own.push(sandbox);
    await this.progress.step('sandbox', () => sandbox.start());
  }

  s3Environment(app: string): Variables {
    return s3Environment(app, this.urls, this.secrets, this.external.s3);
  }

  refuseWhenInterrupted(): void {
    if (this.signal?.aborted) throw new Interrupted();
  }

  private processes(): ManagedProcess[] {
    return [...Object.values(this.apps), ...this.own];
  }

  superviseAll(): void {
    this.endSupervision = supervise(this.processes(), (line) => this.progress.line(`  ! ${line}`));
  }

  /** Stops the apps first, then LiveKit, then the other parts. Data is kept. A second call waits for the same stop. */
  stop({ wipe = false }: { wipe?: boolean } = {}): Promise<void> {
    this.stopping ??= (async () => {
      this.endSupervision?.();
      for (const order of Object.values(ORDER).sort((a, b) => b - a)) {
        await Promise.all(
          this.processes()
            .filter((it) => it.spec.order === order)
            .map((it) => it.stop()),
        );
      }
      // Normally none is left. A process whose handle was lost in a failed start would be.
      await endOrphans(this.home, { owner: this.owner });
      await this.dismissWatchdog?.();
      this.lock?.release();
    })();
    return wipe ? this.stopping.then(() => wipeHome(this.home)) : this.stopping;
  }
}

export async function allOrFirstFailure(tasks: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks);
  const failures = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason as Error] : []));
  if (failures.length > 0) throw failures.find((it) => !(it instanceof Interrupted)) ?? failures[0];
}

/** Starts the real parts on loopback. All are ready when this resolves. If one fails, those already started are stopped. */
export async function startParts(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack({ apps: [], ...options });
  return launch(stack, async () => {
    await stack.startParts();
  });
}

/** Starts parts, applies migrations and starts apps. All are ready when this resolves. The repository must be built. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { sandbox = false, outside } = options;
  refuseOutside(sandbox, outside);
  const apps = options.apps ?? appsOf(sandbox);
  const stack = new Stack({ ...options, apps });
  return launch(stack, async () => {
    await allOrFirstFailure([stack.startParts(), stack.prepared.built]);
    await stack.startApps(apps, options.apps !== undefined);
  });
}

async function launch(stack: Stack, work: () => Promise<void>) {
  try {
    await stack.claim();
    if (stack.options.prepare) stack.prepared = stack.options.prepare();
    await work();
    if (stack.options.supervise) stack.superviseAll();
    return stack;
  } catch (error) {
    if (stack.lock) await stack.stop();
    throw error;
  }
}

/**
 * Creates the streams and all schemas in a new home, and stops. Other stacks start from it with the option `template`. A home next to it gets an
 * empty database.
 */
export async function makeTemplate(home: string): Promise<void> {
  const blank = blankOf(home);
  const options = { external: false, postgres: { fsync: false } };
  await (await startParts({ ...options, home: blank, ...(await pickPorts()), parts: ['postgres'] })).stop();
  const stack = await startParts({ ...options, home, ...(await pickPorts()), parts: ['postgres', 'nats'], template: blank });
  try {
    await migrate(stack, APP_NAMES);
  } finally {
    await stack.stop();
  }
}
