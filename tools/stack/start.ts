import { APPS } from './apps.ts';
import { appsOf, refuseOutside } from './sandbox.ts';
import { migrate } from './launch.ts';
import { pickPorts } from './ports.ts';
import { Stack, allOrFirstFailure } from './stack.ts';
import { blankOf } from './template.ts';
import type { PartName } from './parts/find.ts';
import type { Prepared } from './prepare.ts';
import type { Outside } from './settings.ts';
import type { Progress } from './progress.ts';

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
  nats?: { syncInterval?: string };
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
  /** also ICE over TCP, which listens on all addresses of the machine */
  tcp?: boolean;
  /** additional keys of LiveKit's own configuration */
  config?: object;
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
    await migrate(
      stack,
      APPS.map((app) => app.name),
    );
  } finally {
    await stack.stop();
  }
}
