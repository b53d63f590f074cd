import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Client } from 'pg';

/** What is needed to use a stack, wherever its processes were started. */
export interface StackFacts {
  home: string;
  urls: { gateway: string; nats: string; redis: string; postgresAdmin: string; livekit: string; livekitPublic: string; s3: string };
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
export function loadLauncher<L>(): L {
  const root = join(__dirname.split(`${sep}libs${sep}testing`)[0] ?? '.');
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require(join(root, 'tools', 'stack', 'index.ts')) as L;
}

const launcher = loadLauncher<{ natsOptions(url: string): NatsOptions }>();

/** A stack as a test may use it without changing it for others: its addresses, secrets, rows, logs and spans. */
export class RunningStack {
  readonly home: string;
  readonly urls: StackFacts['urls'];
  readonly secrets: StackFacts['secrets'];
  readonly ports: StackFacts['ports'];

  constructor({ home, urls, secrets, ports }: StackFacts) {
    this.home = home;
    this.urls = urls;
    this.secrets = secrets;
    this.ports = ports;
  }

  /** The options for `connect` of nats.js. */
  get nats(): NatsOptions {
    return launcher.natsOptions(this.urls.nats);
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
}
