import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { CLOCK_SUBJECT } from '@classroom/contracts';
import { loadLauncher, RunningStack, type StackFacts } from './running-stack.js';

/** One process of the stack, as managed by the launcher (`tools/stack/process.ts`). */
export interface ManagedProcess {
  readonly name: string;
  readonly pid: number | undefined;
  readonly logFile: string;
  readonly isRunning: boolean;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  start(extraEnv?: Record<string, string>): Promise<void>;
  launch(extraEnv?: Record<string, string>): void;
  ready(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<unknown>;
  kill(): Promise<unknown>;
  restart(extraEnv?: Record<string, string>): Promise<void>;
}

export interface StackOptions {
  /** `pgbouncer` and `clickhouse` only if named. With `pgbouncer` the apps reach Postgres through it. */
  parts?: ('postgres' | 'pgbouncer' | 'clickhouse' | 'nats' | 'redis' | 'livekit' | 's3')[];
  apps?: string[];
  env?: Record<string, Record<string, string>>;
  livekit?: false | { webhookUrls?: string[] };
  livekitUrl?: string;
  livekitApiKey?: string;
  livekitApiSecret?: string;
  postgres?: { fsync?: boolean; settings?: Record<string, string | number> };
  gatewayPort?: number;
  portBase?: number;
  /** Default: a new folder. `stop` deletes it. */
  home?: string;
  /** Restarts processes that end by themselves, as `npm start` does; default false. */
  supervise?: boolean;
  /** A sandbox as of `npm start -- --sandbox`, without the apps' own test clock. */
  sandbox?: boolean;
  /** Folder of the repository whose build is run and whose migrations are applied; default: this one. */
  repo?: string;
  /** The test tries what users of NATS, Redis or the storage have no permission for. */
  expectViolations?: boolean;
}

/** An additional process of an app that the stack already runs. */
export interface SecondProcess {
  /** Its name in `app()`, logs and traces. */
  name: string;
  /** Folder of the repository whose build is run. */
  repo?: string;
  env?: Record<string, string>;
}

interface LaunchedStack extends StackFacts {
  parts: Record<string, ManagedProcess>;
  apps: Record<string, ManagedProcess>;
  stop(how?: { wipe?: boolean }): Promise<void>;
}

interface Launcher {
  startParts(options: object): Promise<LaunchedStack>;
  startStack(options: object): Promise<LaunchedStack>;
  pickPorts(): Promise<{ gatewayPort: number; portBase: number }>;
  APPS: { name: string }[];
  createApp(app: { name: string }, stack: LaunchedStack, how: SecondProcess): ManagedProcess;
  migrate(stack: LaunchedStack, apps: string[], repo?: string): Promise<void>;
  undeclaredErrors(home: string): string[];
  permissionViolations(home: string): string[];
  fromTemplate(): { template?: string };
  fromBlankTemplate(): { template?: string };
}

/** The ports in a stack's block that neither parts nor first processes use. */
const SPARE_PORTS = { first: 22, end: 46 };

const launcher = loadLauncher() as Launcher;

const UNLIMITED = Object.fromEntries(
  ['RATE_LIMIT', 'CLASSROOM_REQUESTS', 'ADMIN_REQUESTS', 'PAGE_REQUESTS', 'OPEN_REQUESTS', 'REFUSED_REQUESTS'].map((name) => [
    `${name}_PER_MINUTE`,
    '10000000',
  ]),
);

/** The variables of the apps in a test, over which `env` takes precedence. */
export function testEnvironment({
  env = {},
  apps,
  sandbox,
}: Pick<StackOptions, 'env' | 'apps' | 'sandbox'>): NonNullable<StackOptions['env']> {
  // Tests call more often than any limit allows; the limits have their own tests.
  const gateway = { ...UNLIMITED, ...env['gateway'] };
  // No name server answers there: no test waits for the internet.
  const organization = { DNS_SERVERS: '127.0.0.1:9', ...env['organization'] };
  // Without a gateway, a test calls services itself, and nothing signs who called.
  const unsigned: Record<string, string> = apps && !apps.includes('gateway') ? { CALLER_PUBLIC_KEYS: '' } : {};
  return {
    ...env,
    gateway,
    organization,
    all: { CLOCK: sandbox ? 'sandbox' : 'controlled', OTEL_TRACES_SAMPLER: 'always_on', ...unsigned, ...env['all'] },
  };
}

/** The whole system, or some parts of it, for one test file: real parts and apps on loopback, in a separate home folder. */
export class TestStack extends RunningStack {
  private sparePort = SPARE_PORTS.first;

  private constructor(
    private readonly launched: LaunchedStack,
    private readonly options: Pick<StackOptions, 'expectViolations'>,
  ) {
    super(launched);
  }

  /**
   * Starts only parts, for integration tests.
   * @param isMigrated whether Postgres has the schemas and NATS the streams of all apps; default: they are empty
   */
  static async parts(
    parts: NonNullable<StackOptions['parts']>,
    { isMigrated = false, ...options }: StackOptions & { isMigrated?: boolean } = {},
  ): Promise<TestStack> {
    const template = isMigrated ? launcher.fromTemplate() : launcher.fromBlankTemplate();
    return new TestStack(await launcher.startParts({ ...(await defaults(options)), ...template, ...options, parts }), options);
  }

  /** Starts parts and apps, migrated and ready. The repository must be built. */
  static async start(options: StackOptions = {}): Promise<TestStack> {
    // A given home may have data, and another repository has other migrations.
    const template = options.home === undefined && options.repo === undefined ? launcher.fromTemplate() : {};
    const env = testEnvironment(options);
    return new TestStack(await launcher.startStack({ ...(await defaults(options)), ...template, ...options, env }), options);
  }

  app(name: string): ManagedProcess {
    return known(this.launched.apps, name);
  }

  part(name: string): ManagedProcess {
    return known(this.launched.parts, name);
  }

  /** A free port of this stack. */
  port(): number {
    if (this.sparePort === SPARE_PORTS.end) throw new Error('the stack has no port left');
    return this.launched.ports.base + this.sparePort++;
  }

  /**
   * A second process of an app, not started yet, with its own probe port and the variables in `env`. `app(name)` also returns it,
   * and it ends with the stack. `env` has to change whatever it may not share with the first process, such as a port. The name of
   * a process that has ended may be used again.
   */
  addProcess(app: string, { name, repo, env }: SecondProcess): ManagedProcess {
    const known = launcher.APPS.find((it) => it.name === app);
    if (!known) throw new Error(`there is no app ${app}`);
    const port = this.launched.ports.probes[name] ?? this.port();
    this.launched.ports.probes[name] = port;
    const how = { name, ...(repo === undefined ? {} : { repo }), env: { PROBE_PORT: String(port), ...env } };
    return (this.launched.apps[name] = launcher.createApp(known, this.launched, how));
  }

  /** Applies streams and schemas from another folder than the one from which the stack was started. */
  async migrate(apps: string[], repo: string): Promise<void> {
    await launcher.migrate(this.launched, apps, repo);
  }

  /** Moves every process's domain clock to `offsetMs` milliseconds ahead of the system's. */
  async moveClock(offsetMs: number): Promise<void> {
    const connection = await connect(this.nats);
    connection.publish(CLOCK_SUBJECT, JSON.stringify({ offsetMs }));
    await connection.drain();
  }

  /**
   * Ends every process and deletes the home folder.
   * @throws if a process answered with an error that its contract does not declare, or tried what its user has no permission for
   */
  async stop(): Promise<void> {
    const undeclared = launcher.undeclaredErrors(this.home);
    // Nothing of an app is kept, so none has to finish its work. A recorder ends its browsers itself.
    const apps = Object.values(this.launched.apps).filter(({ name }) => !name.startsWith('recorder'));
    await Promise.all(apps.map((app) => app.kill()));
    await this.launched.stop();
    const violations = this.options.expectViolations ? [] : launcher.permissionViolations(this.home);
    await this.launched.stop({ wipe: true });
    if (undeclared.length > 0) throw new Error(`errors that no contract declares:\n${undeclared.join('\n')}`);
    if (violations.length > 0) throw new Error(`what a user has no permission for:\n${violations.join('\n')}`);
  }
}

async function defaults(options: StackOptions): Promise<object> {
  const ports = options.gatewayPort === undefined ? await launcher.pickPorts() : {};
  const home = options.home ?? newHome();
  return { home, ...ports, external: false, supervise: false, quiet: true, postgres: { fsync: false } };
}

/** As root, Postgres runs as another user, who has to be able to enter the home. */
function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'classroom-'));
  chmodSync(home, 0o711);
  return home;
}

function known(processes: Record<string, ManagedProcess>, name: string): ManagedProcess {
  const process = processes[name];
  if (!process) throw new Error(`the stack runs no ${name}`);
  return process;
}
