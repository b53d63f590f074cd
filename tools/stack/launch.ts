import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { type App, APPS } from './apps.ts';
import { statusOf } from './checks.ts';
import { REPO, rotate, type Variables } from './context.ts';
import { type AppContext, appEnvironment, cleanBase, databaseUrl } from './environment.ts';
import { ManagedProcess, ORDER } from './process.ts';
import { run } from './run.ts';
import { builtFile, nodeBinary } from './toolchain.ts';

/**
 * Creates what an app needs at its start: the JetStream streams, and each schema with its owner.
 * @param repo whose migrations run
 */
export async function migrate(stack: AppContext, names: string[], repo: string = stack.options.repo ?? REPO): Promise<void> {
  const { urls, home, cache, signal, secrets } = stack;
  const schemas = APPS.filter((app) => app.schema && names.includes(app.name));
  const scripts = [
    { file: builtFile('libs/messaging/dist/streams/apply.js', repo), env: {} },
    ...schemas.map(({ name }) => ({
      file: builtFile(`apps/${name}/dist/migrate.js`, repo),
      env: { DATABASE_URL: databaseUrl(urls.postgresAdmin, name, secrets.databasePasswords[name] ?? '') },
    })),
  ];
  await run(nodeBinary(), [import.meta.filename], {
    cwd: repo,
    env: {
      ...cleanBase(process.env),
      DEPLOYMENT: 'local',
      NODE_COMPILE_CACHE: path.join(cache, 'compile'),
      NATS_URL: urls.nats,
      DATABASE_ADMIN_URL: urls.postgresAdmin,
    },
    logFile: path.join(home, 'logs', 'migrations.log'),
    home,
    what: 'Applying streams and schemas',
    signal,
    input: JSON.stringify(scripts),
  });
}

/**
 * @returns the bundled app, or its compiled files if a change since the build removed the bundle
 * @throws {StackError} if it is not built
 */
function programOf(app: string, repo: string): string {
  const bundle = path.join(repo, 'apps', app, 'dist', 'app.js');
  return fs.existsSync(bundle) ? bundle : builtFile(`apps/${app}/dist/main.js`, repo);
}

/** An additional process of an app: its name, the repository in which it is built, and variables that must differ from the first (ports). */
export interface ProcessOptions {
  name?: string;
  repo?: string;
  env?: Variables;
}

export function createApp(
  app: App,
  stack: AppContext,
  { name = app.name, repo = stack.options.repo ?? REPO, env = {} }: ProcessOptions = {},
): ManagedProcess {
  const traces = path.join(stack.home, 'traces', `${name}.jsonl`);
  rotate(traces);
  const environment = (): Variables => ({
    ...appEnvironment(app, stack, repo),
    TRACE_FILE: traces,
    ...env,
  });
  const { PROBE_PORT, DRAIN_SECONDS = 25 } = environment();
  const probe = `http://127.0.0.1:${PROBE_PORT}/readyz`;
  return new ManagedProcess(
    {
      name,
      order: ORDER.app,
      // Longer than the app's own limit, so that the app can log that it gave up.
      graceMs: (Number(DRAIN_SECONDS) + 5) * 1000,
      check: async () => (await statusOf(probe)) === 200,
      command: (extraEnv) => ({
        file: nodeBinary(),
        args: [programOf(app.name, repo)],
        cwd: repo,
        env: { ...environment(), ...extraEnv },
      }),
    },
    stack,
  );
}

/**
 * Runs the migrations of several apps in one process, because loading their libraries takes longer than migrating. Reads from stdin
 * a JSON list of scripts, each with its own variables.
 */
async function runMigrations(): Promise<void> {
  const load = createRequire(import.meta.url);
  for (const { file, env } of (await json(process.stdin)) as { file: string; env: Variables }[]) {
    // A script reads its variables while it is loaded. It ends this process with 1 if it fails.
    Object.assign(process.env, env);
    load(file);
  }
}

if (import.meta.main) void runMigrations();
