import { createRequire } from 'node:module';
import path from 'node:path';
import { builtFile, compile, type Swc, watchFolders } from './compile.ts';
import { APPS } from './stack/apps.ts';
import { command, printError, REPO, StackError, stackHome } from './stack/context.ts';
import { requestRestart } from './stack/supervisor.ts';
import { packages } from './structure/sources.ts';

/** Editors write a file in several steps. Milliseconds. */
const SETTLE_MS = 50;
const RESTART_TIMEOUT_MS = 60_000;

/** Compiles what changes in one service and the libraries, and restarts the service in the running stack. */
async function watch(app: string | undefined): Promise<void> {
  if (!app || !APPS.some(({ name }) => name === app)) {
    throw new StackError(`Name a service: npm run dev -- <${APPS.map(({ name }) => name).join('|')}>.`);
  }
  const home = stackHome();
  await requestRestart(home, app, RESTART_TIMEOUT_MS);
  const swc = createRequire(path.join(REPO, 'package.json'))('@swc/core') as Swc;
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const reload = async () => {
    const files = [...changed];
    changed.clear();
    const began = Date.now();
    try {
      for (const file of files) compile(swc, file);
      await requestRestart(home, app, RESTART_TIMEOUT_MS);
      const names = files.map((file) => path.relative(REPO, file)).join(', ');
      process.stdout.write(`✓ ${app} reloaded in ${((Date.now() - began) / 1000).toFixed(1)} s: ${names}\n`);
    } catch (error) {
      if (error instanceof StackError) printError(error);
      else process.stderr.write(`${String(error).split('\n\nCaused by')[0]}\n`);
    }
  };
  for (const { name, src } of packages().filter((it) => it.name === `apps/${app}` || it.name.startsWith('libs/'))) {
    const onChange = (file: string) => {
      if (!builtFile(file)) return;
      changed.add(file);
      clearTimeout(timer);
      timer = setTimeout(() => (running = running.then(reload)), SETTLE_MS);
    };
    watchFolders(src, onChange, (error) => printError(new StackError(`${name} can't be watched: ${error.message}.`)));
  }
  process.stdout.write(`Watching apps/${app} and libs. A change is compiled and ${app} restarts; Ctrl-C stops watching, not the stack.\n`);
}

if (import.meta.main) void command(watch(process.argv[2]));
