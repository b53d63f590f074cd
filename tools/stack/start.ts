import { APP_NAMES } from './apps.ts';
import { appsOf, refuseOutside } from './sandbox.ts';
import { migrate } from './launch.ts';
import { pickPorts } from './ports.ts';
import { Stack, allOrFirstFailure } from './stack.ts';
import type { StackOptions } from './options.ts';
import { blankOf } from './home.ts';

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
