import type { Outside } from './context.ts';
import type { PartName } from './parts/install.ts';
import type { Tools } from './parts/obtain.ts';
import type { Ports } from './ports.ts';
import type { Obtained } from './programs.ts';
import type { Progress } from './progress.ts';
import type { Secrets } from './secrets.ts';

export interface StackOptions {
  /** default STACK_HOME or `<repo>/.stack` */
  home?: string;
  /** default STACK_CACHE or `~/.cache/virtual-classroom` */
  cache?: string;
  /** default GATEWAY_PORT or 8080 */
  gatewayPort?: number;
  /** default STACK_PORT_BASE, otherwise derived from the gateway's port */
  portBase?: number;
  /** default all; a LiveKit that is started here needs redis */
  parts?: PartName[];
  /** default all of apps.ts whose programs are available (startStack), none (startParts) */
  apps?: string[];
  /** by app name, or `all`: additional variables of the process */
  env?: Record<string, Record<string, string>>;
  /** repository in which the apps and migrations are built, default this one */
  repo?: string;
  /** variables that configure the caller's own models */
  ai?: Record<string, string>;
  /** default: only this machine can reach the stack */
  outside?: Outside;
  postgres?: { fsync?: boolean; settings?: Record<string, string | number> };
  /** home of a stopped stack, made by `makeTemplate`, whose schemas and streams a new home copies instead of creating them */
  template?: string;
  /** a clock that `vc sandbox` moves, and a simulated LiveKit that follows it */
  sandbox?: boolean;
  /** false: does not start LiveKit */
  livekit?: false | LivekitOptions;
  /** a LiveKit that runs elsewhere (such as the simulated one), with its key and secret */
  livekitUrl?: string;
  livekitApiKey?: string;
  livekitApiSecret?: string;
  /** false: ignores DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, LIVEKIT_URL and S3_ENDPOINT of the environment */
  external?: boolean;
  /** restarts crashed processes; default false */
  supervise?: boolean;
  /** default true */
  quiet?: boolean;
  progress?: Progress;
  /** aborts a start that is in progress */
  signal?: AbortSignal;
  /** called once the home is claimed; returns the parts and programs that are being obtained, and the build that the migrations wait for */
  prepare?: () => Prepared;
}

interface LivekitOptions {
  webhookUrls?: string[];
  /** webhooks that LiveKit sends; default: those we use */
  events?: string[];
}

/** Work in progress. The caller must await every promise. */
export interface Prepared {
  installed: Promise<unknown>;
  built: Promise<unknown>;
  tools: Partial<Record<PartName, Promise<Tools>>>;
  programs: Obtained;
}

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
export interface PartContext {
  home: string;
  /** The launcher, as of `ownerId`. */
  owner: string;
  signal: AbortSignal | undefined;
  options: StackOptions;
  ports: Ports & { gateway: number };
  secrets: Secrets;
  gatewayPort: number;
}
