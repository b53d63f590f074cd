import { APPS } from './apps.ts';
import { Stack, allOrFirstFailure } from './stack.ts';
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
  /** default STACK_PORT_BASE, else derived from the gateway's port */
  portBase?: number;
  /** default all; LiveKit of ours needs redis */
  parts?: PartName[];
  /** default all of apps.ts whose programs are here (startStack), none (startParts) */
  apps?: string[];
  /** by app name, or `all`: more variables for its process */
  env?: Record<string, Record<string, string>>;
  /** where the apps and their migrations are built, default here */
  repo?: string;
  /** variables that name models of the caller's own */
  ai?: Record<string, string>;
  /** default: this machine alone reaches it */
  outside?: Outside;
  postgres?: { fsync?: boolean; settings?: Record<string, string | number> };
  nats?: { syncInterval?: string };
  /** false: don't start one */
  livekit?: false | LivekitOptions;
  /** one that runs elsewhere (the simulated one), with its key and secret */
  livekitUrl?: string;
  livekitApiKey?: string;
  livekitApiSecret?: string;
  /** false: ignore DATABASE_ADMIN_URL, NATS_URL, REDIS_URL, LIVEKIT_URL, S3_ENDPOINT of the environment */
  external?: boolean;
  /** start again what dies; default false */
  supervise?: boolean;
  /** default true */
  quiet?: boolean;
  progress?: Progress;
  /** ends a start that is under way */
  signal?: AbortSignal;
  /** called once the home is ours; gives the parts and programs that are being obtained, and what the migrations wait for */
  prepare?: () => Prepared;
}

interface LivekitOptions {
  webhookUrls?: string[];
  /** which webhooks it sends, by default those we use */
  events?: string[];
  /** also ICE over TCP, which listens on every address of the machine */
  tcp?: boolean;
  /** more keys of LiveKit's own configuration */
  config?: object;
}

/** The real parts on loopback, each ready when this resolves. A failure stops what had started. */
export async function startParts(options: StackOptions = {}): Promise<Stack> {
  const stack = new Stack({ apps: [], ...options });
  return launch(stack, async () => {
    await stack.startParts();
  });
}

/** Parts, migrations and apps, each ready when this resolves. The repository must be built. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const apps = options.apps ?? APPS.map((app) => app.name);
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
