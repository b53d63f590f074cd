import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { Client } from 'pg';
import { CLOCK_SUBJECT } from '@classroom/contracts';

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
  parts?: ('postgres' | 'nats' | 'redis' | 'livekit' | 's3')[];
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
  /** Folder of the repository whose build is run and whose migrations are applied; default: this one. */
  repo?: string;
}

/** An additional process of an app that the stack already runs. */
export interface Beside {
  /** Its name in `app()`, logs and traces. */
  name: string;
  /** Folder of the repository whose build is run. */
  repo?: string;
  env?: Record<string, string>;
}

interface LaunchedStack {
  home: string;
  gatewayPort: number;
  urls: { gateway: string; nats: string; redis: string; postgresAdmin: string; livekit: string; livekitPublic: string; s3: string };
  secrets: Record<string, string>;
  ports: { base: number; gateway: number; probes: Record<string, number>; parts: Record<string, number> };
  parts: Record<string, ManagedProcess>;
  apps: Record<string, ManagedProcess>;
  stop(how?: { wipe?: boolean }): Promise<void>;
}

interface Launcher {
  startParts(options: object): Promise<LaunchedStack>;
  startStack(options: object): Promise<LaunchedStack>;
  pickPorts(): Promise<{ gatewayPort: number; portBase: number }>;
  APPS: { name: string }[];
  createApp(app: { name: string }, stack: LaunchedStack, how: Beside): ManagedProcess;
  migrate(stack: LaunchedStack, apps: string[], repo?: string): Promise<void>;
  natsOptions(url: string): NatsOptions;
}

/** Options for nats.js, which ignores a user and password in an address. */
interface NatsOptions {
  servers: string;
  user?: string;
  pass?: string;
}

/** The ports in a stack's block that neither parts nor first processes use. */
const SPARE_PORTS = { first: 22, end: 48 };

// The launcher is TypeScript that Node runs directly, outside every package: it starts before anything is installed.
const root = join(__dirname.split(`${sep}libs${sep}testing`)[0] ?? '.');
// eslint-disable-next-line @typescript-eslint/no-require-imports
const launcher = require(join(root, 'tools', 'stack', 'index.ts')) as Launcher;

const UNLIMITED = Object.fromEntries(
  ['RATE_LIMIT', 'CLASSROOM_REQUESTS', 'ADMIN_REQUESTS', 'PAGE_REQUESTS', 'REFUSED_REQUESTS'].map((name) => [
    `${name}_PER_MINUTE`,
    '10000000',
  ]),
);

/** The whole system, or some parts of it, for a test: real parts and apps on loopback, in a separate home folder. */
export class TestStack {
  private sparePort = SPARE_PORTS.first;

  private constructor(private readonly launched: LaunchedStack) {}

  /** Starts only parts, for integration tests. */
  static async parts(parts: NonNullable<StackOptions['parts']>, options: StackOptions = {}): Promise<TestStack> {
    return new TestStack(await launcher.startParts({ ...(await defaults(options)), ...options, parts }));
  }

  /** Starts parts and apps, migrated and ready. The repository must be built. */
  static async start(options: StackOptions = {}): Promise<TestStack> {
    // Tests call more often than any limit allows; the limits have their own tests.
    const gateway = { ...UNLIMITED, ...options.env?.['gateway'] };
    const env = { ...options.env, gateway, all: { CLOCK: 'controlled', OTEL_TRACES_SAMPLER: 'always_on', ...options.env?.['all'] } };
    return new TestStack(await launcher.startStack({ ...(await defaults(options)), ...options, env }));
  }

  get home(): string {
    return this.launched.home;
  }
  get urls(): LaunchedStack['urls'] {
    return this.launched.urls;
  }
  /** The options for `connect` of nats.js. */
  get nats(): NatsOptions {
    return launcher.natsOptions(this.urls.nats);
  }
  get secrets(): Record<string, string> {
    return this.launched.secrets;
  }
  get ports(): LaunchedStack['ports'] {
    return this.launched.ports;
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
  beside(app: string, { name, repo, env }: Beside): ManagedProcess {
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

  /** A query as superuser, across schemas: for checks, never to set up what the API could set up. */
  async rows<R extends object>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    const client = new Client({ connectionString: this.urls.postgresAdmin });
    await client.connect();
    try {
      return (await client.query<R>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  log(name: string): string {
    return readFileSync(join(this.home, 'logs', `${name}.log`), 'utf8');
  }

  /** Every span that all processes have written so far. */
  spans<S>(): S[] {
    const folder = join(this.home, 'traces');
    const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
    const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as S];
      } catch {
        // The last line may be incomplete.
        return [];
      }
    });
  }

  /**
   * Ends every process and deletes the home folder.
   * @throws if a process answered with an error that its contract does not declare
   */
  async stop(): Promise<void> {
    const undeclared = this.logged('undeclared error');
    await this.launched.stop({ wipe: true });
    if (undeclared.length > 0) throw new Error(`errors that no contract declares:\n${undeclared.join('\n')}`);
  }

  private logged(message: string): string[] {
    const folder = join(this.home, 'logs');
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.log')) : [];
    return files.flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line.includes(message)),
    );
  }
}

async function defaults(options: StackOptions): Promise<object> {
  const ports = options.gatewayPort === undefined ? await launcher.pickPorts() : {};
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'classroom-'));
  return { home, ...ports, external: false, supervise: false, quiet: true, postgres: { fsync: false } };
}

function known(processes: Record<string, ManagedProcess>, name: string): ManagedProcess {
  const process = processes[name];
  if (!process) throw new Error(`the stack runs no ${name}`);
  return process;
}
