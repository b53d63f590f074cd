import fs from 'node:fs';
import path from 'node:path';
import { APPS, type Variables } from './apps.ts';
import { codeOf, Interrupted, StackError } from './errors.ts';
import { tryLock, type Lock } from './lock.ts';
import { endOrphans, ownerId, runDir } from './pidfile.ts';
import { stackCache, stackHome } from './paths.ts';
import { derivePortBase, layOut, portFrom, refuseTakenPorts, BLOCK, type Ports, type WantedPort } from './ports.ts';
import { Progress } from './progress.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';
import { supervise, type Supervisor } from './supervisor.ts';
import { ORDER, type Handle, type ManagedProcess } from './process.ts';
import { wipeHome } from './wipe.ts';
import { migrate, createApp } from './launch.ts';
import { copyTemplate } from './template.ts';
import { gatherPrograms } from './programs.ts';
import { externalParts, type External } from './parts/external.ts';
import { PART_NAMES, type PartName, type Tools } from './parts/find.ts';
import { createClickhouse } from './parts/clickhouse.ts';
import { createLivekit } from './parts/livekit.ts';
import { createNats } from './parts/nats.ts';
import { obtain } from './parts/obtain.ts';
import { createPgbouncer } from './parts/pgbouncer.ts';
import { createPostgres } from './parts/postgres.ts';
import { createRedis, localRedisUrl } from './parts/redis.ts';
import { createS3, s3Environment } from './parts/s3.ts';
import { createSandbox, createSimulatedLivekit, keepClock } from './sandbox.ts';
import type { Prepared } from './prepare.ts';
import type { StackOptions } from './start.ts';

export interface Urls {
  gateway: string;
  postgresAdmin: string;
  /** Where apps reach Postgres, if not at its own address. */
  pgbouncer?: string;
  clickhouse?: string;
  nats: string;
  redis: string;
  livekit: string;
  livekitPublic: string;
  s3: string;
  s3Public: string;
}

/** The fields of a stack that exist when its parts are created. */
export type PartContext = Pick<Stack, 'home' | 'owner' | 'signal' | 'options' | 'ports' | 'secrets' | 'gatewayPort'>;

interface NewPart {
  handle: ManagedProcess;
  prepare?: () => Promise<unknown>;
}

/** The parts and apps of one home. */
export class Stack {
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
  /** The parts that were started here or run elsewhere. */
  readonly parts = {} as Record<PartName, Handle>;
  readonly apps: Record<string, ManagedProcess> = {};
  lock: Lock | undefined;
  private readonly own: ManagedProcess[] = [];
  private external: External = {};
  private watchdog: Watchdog | undefined;
  private supervisor: Supervisor | undefined;
  private stopping: Promise<void> | undefined;

  constructor(options: StackOptions) {
    this.options = options;
    this.signal = options.signal;
    this.home = path.resolve(options.home ?? stackHome());
    this.cache = path.resolve(options.cache ?? stackCache());
    this.gatewayPort = options.gatewayPort ?? portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
    const base = options.portBase ?? portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(this.gatewayPort));
    if (base + BLOCK > 65_536)
      throw new StackError(`STACK_PORT_BASE=${base} leaves no room for ${BLOCK} ports: choose ${65_536 - BLOCK} or less.`);
    this.ports = {
      gateway: this.gatewayPort,
      ...layOut(
        base,
        APPS.map((app) => app.name),
      ),
    };
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
    this.watchdog = startWatchdog(this.home, this.owner);
  }

  /** @returns the parts to start here */
  private ownParts(): PartName[] {
    const wanted = this.options.parts ?? PART_NAMES;
    return wanted.filter((name) => !this.external[name] && !(name === 'livekit' && this.options.livekit === false));
  }

  private wantedPorts(): WantedPort[] {
    const { parts, probes } = this.ports;
    const own = this.ownParts();
    const wanted: WantedPort[] = own.map((name) => ({ what: name, port: parts[name] }));
    if (own.includes('nats')) wanted.push({ what: "nats's monitor", port: parts.natsMonitor });
    if (own.includes('livekit')) {
      wanted.push({ what: "livekit's media", port: parts.livekitUdp, protocol: 'udp' });
      if (this.options.outside?.nodeIp || (this.options.livekit && this.options.livekit.tcp))
        wanted.push({ what: "livekit's media", port: parts.livekitTcp });
    }
    if (this.options.sandbox) wanted.push({ what: 'the sandbox', port: parts.sandbox });
    if (this.options.apps?.includes('media')) wanted.push({ what: 'media', port: parts.media });
    for (const app of this.options.apps ?? []) wanted.push({ what: `${app}'s probe`, port: probes[app] ?? NaN });
    if (this.options.apps?.includes('gateway')) wanted.unshift({ what: 'the gateway', port: this.gatewayPort, setting: 'GATEWAY_PORT' });
    return wanted;
  }

  async startParts(): Promise<void> {
    const own = this.ownParts();
    for (const name of PART_NAMES) {
      const handle = this.external[name]?.handle;
      if (!handle) continue;
      this.parts[name] = handle;
      await handle.ready();
    }
    const { livekit, s3 } = this.external;
    if (livekit) this.secrets = { ...this.secrets, livekitApiKey: livekit.key, livekitApiSecret: livekit.secret };
    if (s3) this.secrets = { ...this.secrets, s3AccessKeyId: s3.key, s3SecretAccessKey: s3.secret };
    const redisUrl = this.external.redis?.url ?? localRedisUrl(this.ports.parts.redis, this.secrets.redisPassword);
    Object.assign(this.urls, { redis: redisUrl, nats: this.external.nats?.url, postgresAdmin: this.external.postgres?.url });
    if (livekit) Object.assign(this.urls, { livekit: livekit.url, livekitPublic: livekit.publicUrl });
    if (s3) Object.assign(this.urls, { s3: s3.url, s3Public: s3.publicUrl });
    const redisReady = own.includes('redis') ? this.startPart('redis', async (tools) => createRedis(this, tools)) : Promise.resolve();
    // Waits for all before a failure is thrown: otherwise a stop could miss a process that is just being started.
    await allOrFirstFailure([
      redisReady,
      own.includes('postgres') &&
        this.startPart('postgres', async (tools) => {
          const { handle, prepare, adminUrl } = await createPostgres(this, tools);
          this.urls.postgresAdmin = adminUrl;
          return { handle, prepare };
        }),
      own.includes('pgbouncer') &&
        this.startPart('pgbouncer', async (tools) => {
          const { handle, url } = createPgbouncer(this, tools);
          this.urls.pgbouncer = url;
          return { handle };
        }),
      own.includes('clickhouse') &&
        this.startPart('clickhouse', async (tools) => {
          const { handle, url } = createClickhouse(this, tools);
          this.urls.clickhouse = url;
          return { handle };
        }),
      own.includes('nats') &&
        this.startPart('nats', async (tools) => {
          const { handle, url } = createNats(this, tools);
          this.urls.nats = url;
          return { handle };
        }),
      own.includes('livekit') &&
        (this.options.sandbox
          ? this.startSimulatedLivekit()
          : this.startPart('livekit', async (tools) => {
              const { handle, url, publicUrl } = createLivekit(this, tools, { redisUrl });
              Object.assign(this.urls, { livekit: url, livekitPublic: publicUrl });
              return { handle, prepare: () => redisReady };
            })),
      own.includes('s3') &&
        this.startPart('s3', async (tools) => {
          const { handle, url } = createS3(this, tools);
          Object.assign(this.urls, { s3: url, s3Public: this.options.outside?.files ?? url });
          return { handle };
        }),
    ]);
  }

  private async startPart(name: PartName, create: (tools: Tools) => Promise<NewPart>): Promise<void> {
    const tools = await (this.prepared.tools[name] ??
      obtain(name, { cache: this.cache, signal: this.signal, home: this.home, logDir: path.join(this.home, 'logs') }));
    await this.progress.step(name, async (note) => {
      note(`${tools.version} (${tools.how})`);
      const { handle, prepare } = await create(tools);
      await prepare?.();
      this.refuseWhenInterrupted();
      this.parts[name] = handle;
      this.own.push(handle);
      await handle.start();
    });
  }

  private async startSimulatedLivekit(): Promise<void> {
    await this.prepared.built;
    await this.progress.step('livekit', async (note) => {
      note('simulated');
      const { handle, url, publicUrl } = createSimulatedLivekit(this);
      Object.assign(this.urls, { livekit: url, livekitPublic: publicUrl });
      this.parts.livekit = handle;
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

  /** Address of the storage and the app's key, as the variables that the app reads. @param repo in which it is built */
  s3Environment(app: string, repo?: string): Variables {
    return s3Environment(app, this.urls, this.secrets, this.external.s3, repo);
  }

  refuseWhenInterrupted(): void {
    if (this.signal?.aborted) throw new Interrupted();
  }

  private processes(): ManagedProcess[] {
    return [...Object.values(this.apps), ...this.own];
  }

  superviseAll(): void {
    this.supervisor = supervise(this.processes(), (line) => this.progress.line(`  ! ${line}`));
  }

  /** Stops the apps first, then LiveKit, then the other parts. Data is kept. A second call waits for the same stop. */
  stop({ wipe = false }: { wipe?: boolean } = {}): Promise<void> {
    this.stopping ??= (async () => {
      this.supervisor?.stop();
      for (const order of Object.values(ORDER).sort((a, b) => b - a)) {
        await Promise.all(
          this.processes()
            .filter((it) => it.spec.order === order)
            .map((it) => it.stop()),
        );
      }
      // Normally none is left. A process whose handle was lost in a failed start would be.
      await endOrphans(this.home, { owner: this.owner });
      await this.watchdog?.dismiss();
      this.lock?.release();
    })();
    return wipe ? this.stopping.then(() => wipeHome(this.home)) : this.stopping;
  }
}

export async function allOrFirstFailure(tasks: (Promise<unknown> | false)[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks.filter((work) => work !== false));
  const failures = outcomes.flatMap((it) => (it.status === 'rejected' ? [it.reason as Error] : []));
  if (failures.length > 0) throw failures.find((it) => !(it instanceof Interrupted)) ?? failures[0];
}
