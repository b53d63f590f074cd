import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { APPS } from './stack/apps.ts';
import { printError } from './stack/commands.ts';
import { StackError } from './stack/errors.ts';
import { REPO, stackHome } from './stack/paths.ts';
import { requestRestart } from './stack/restarts.ts';
import { packages } from './structure/packages.ts';

/** Editors write a file in several steps. Milliseconds. */
const SETTLE_MS = 50;
const RESTART_TIMEOUT_MS = 60_000;

/** As in tsconfig.base.json, for one file at a time. `npm run check` checks types. */
const SWC_OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

interface Swc {
  transformFileSync(file: string, options: object): { code: string; map?: string };
}

/** @returns where the build writes this source file, or undefined if it is not part of the build */
export function builtFile(source: string): string | undefined {
  if (!source.endsWith('.ts') || source.endsWith('.spec.ts')) return undefined;
  return source.replace(`${path.sep}src${path.sep}`, `${path.sep}dist${path.sep}`).replace(/\.ts$/, '.js');
}

/** Compiles one changed file, or deletes what a deleted one was compiled to. @throws if the file has a syntax error */
function compile(swc: Swc, source: string): void {
  const target = builtFile(source);
  if (!target) return;
  if (!fs.existsSync(source)) return fs.rmSync(target, { force: true });
  const { code, map } = swc.transformFileSync(source, { ...SWC_OPTIONS, filename: source });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map\n`);
  if (map) fs.writeFileSync(`${target}.map`, map);
}

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
    fs.watch(src, { recursive: true }, (_event, file) => {
      if (!file || !builtFile(path.join(src, file))) return;
      changed.add(path.join(src, file));
      clearTimeout(timer);
      timer = setTimeout(() => (running = running.then(reload)), SETTLE_MS);
    }).on('error', (error) => printError(new StackError(`${name} can't be watched: ${error.message}.`)));
  }
  process.stdout.write(`Watching apps/${app} and libs. A change is compiled and ${app} restarts; Ctrl-C stops watching, not the stack.\n`);
}

if (import.meta.main) {
  watch(process.argv[2]).catch((error: unknown) => {
    printError(error);
    process.exit(1);
  });
}
