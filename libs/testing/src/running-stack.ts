import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Pool } from 'pg';

/** What is needed to use a stack, wherever its processes were started. */
export interface StackFacts {
  home: string;
  urls: {
    gateway: string;
    /** Of the operators' API, if it is not the gateway's public address. */
    operators?: string;
    nats: string;
    redis: string;
    postgresAdmin: string;
    clickhouse?: string;
    livekit: string;
    livekitPublic: string;
    s3: string;
  };
  secrets: Record<string, string>;
  ports: { base: number; gateway: number; probes: Record<string, number>; parts: Record<string, number> };
}

/** Options for nats.js, which ignores a user and password in an address. */
interface NatsOptions {
  servers: string;
  user?: string;
  pass?: string;
}

/** The launcher is TypeScript that Node runs directly, outside every package: it starts before anything is installed. */
export function loadLauncher(): unknown {
  const root = join(__dirname.split(`${sep}libs${sep}testing`)[0] ?? '.');
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require(join(root, 'tools', 'stack', 'index.ts'));
}

const launcher = loadLauncher() as { natsOptions(url: string): NatsOptions };

/** A stack as a test may use it without changing it for others: its addresses, secrets, rows, logs and spans. */
export class RunningStack {
  readonly home: string;
  readonly urls: StackFacts['urls'];
  readonly secrets: StackFacts['secrets'];
  readonly ports: StackFacts['ports'];

  /** Opening a connection costs more CPU than most queries do. Idle connections close soon and keep no process running. */
  private readonly pool: Pool;

  /** By file, the length of the logs and traces that earlier test files left. */
  private readonly seen: Map<string, number>;

  /** By file, the spans that were read, and up to where. */
  private readonly parsed = new Map<string, { end: number; spans: unknown[] }>();

  constructor({ home, urls, secrets, ports }: StackFacts, isShared = false) {
    this.home = home;
    // The environment of tools/test reads its logs if a test fails.
    const globals = globalThis as { testStackHomes?: Set<string> };
    (globals.testStackHomes ??= new Set()).add(home);
    this.seen = new Map(isShared ? [...this.files('logs'), ...this.files('traces')].map((file) => [file, statSync(file).size]) : []);
    this.urls = urls;
    this.secrets = secrets;
    this.ports = ports;
    this.pool = new Pool({ connectionString: urls.postgresAdmin, max: 5, idleTimeoutMillis: 2_000, allowExitOnIdle: true });
    // Postgres was stopped: the next query opens a new connection.
    this.pool.on('error', () => undefined);
  }

  /** The options for `connect` of nats.js. */
  get nats(): NatsOptions {
    return launcher.natsOptions(this.urls.nats);
  }

  /** A query as superuser, across schemas: for checks, never to set up what the API could set up. */
  async rows<R extends object>(sql: string, parameters: unknown[] = []): Promise<R[]> {
    return (await this.pool.query<R>(sql, parameters)).rows;
  }

  /** What the process has logged; of a shared stack, since this test file began. */
  log(name: string): string {
    return this.read(join(this.home, 'logs', `${name}.log`));
  }

  /** The files of all logs or all traces. */
  files(folder: 'logs' | 'traces'): string[] {
    const path = join(this.home, folder);
    return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [];
  }

  /** Reads a log or trace; of a shared stack, since this test file began. */
  read(file: string): string {
    return readFileSync(file).subarray(this.seen.get(file)).toString();
  }

  /** Every span that all processes have written so far; of a shared stack, since this test file began. */
  spans<S>(): S[] {
    const files = this.files('traces').filter((file) => file.endsWith('.jsonl'));
    return files.flatMap((file) => this.spansOf(file) as S[]);
  }

  /** Tests ask again and again: a line is parsed once. */
  private spansOf(file: string): unknown[] {
    const known = this.parsed.get(file) ?? { end: this.seen.get(file) ?? 0, spans: [] };
    const added = readFileSync(file).subarray(known.end);
    // The last line may be incomplete.
    const length = added.lastIndexOf('\n') + 1;
    for (const line of added.toString('utf8', 0, length).split('\n')) known.spans.push(...spanIn(line));
    known.end += length;
    this.parsed.set(file, known);
    return known.spans;
  }
}

/** Empty for a line that is none: a killed process leaves an incomplete one. */
function spanIn(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
