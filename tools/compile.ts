import fs from 'node:fs';
import path from 'node:path';

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

export interface Swc {
  transformFileSync(file: string, options: object): { code: string; map?: string };
}

/** @returns where the build writes this source file, or undefined if it is not part of the build */
export function builtFile(source: string): string | undefined {
  if (!source.endsWith('.ts') || source.endsWith('.spec.ts')) return undefined;
  return source.replace(`${path.sep}src${path.sep}`, `${path.sep}dist${path.sep}`).replace(/\.ts$/, '.js');
}

/** Removes the bundles that contain a source file: its app's, or all apps' if it belongs to a library. They run from compiled files then. */
function removeBundles(source: string): void {
  const home = source.slice(0, source.lastIndexOf(`${path.sep}src${path.sep}`));
  const apps = path.join(home, '..', '..', 'apps');
  const folders = path.basename(path.dirname(home)) === 'apps' ? [home] : fs.readdirSync(apps).map((app) => path.join(apps, app));
  for (const folder of folders) fs.rmSync(path.join(folder, 'dist', 'app.js'), { force: true });
}

/**
 * Compiles one changed file, or deletes what a deleted one was compiled to, and removes the bundles that contain it.
 * @throws if the file has a syntax error
 */
export function compile(swc: Swc, source: string): void {
  const target = builtFile(source);
  if (!target) return;
  removeBundles(source);
  if (!fs.existsSync(source)) return fs.rmSync(target, { force: true });
  const { code, map } = swc.transformFileSync(source, { ...SWC_OPTIONS, filename: source });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map\n`);
  if (map) fs.writeFileSync(`${target}.map`, map);
}

const subfolders = (folder: string) =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name)] : []));

/**
 * Reports each file that changes in a folder or below it, also in folders that are new. Watches folder by folder: on Linux a recursive watch
 * follows the file that an editor replaces, not the one that takes its name.
 * @returns ends the watch
 */
export function watchFolders(root: string, onChange: (file: string) => void, onError: (error: Error) => void): () => void {
  const watchers = new Map<string, fs.FSWatcher>();
  const watch = (folder: string) => {
    if (watchers.has(folder)) return;
    const watcher = fs.watch(folder, (_event, name) => {
      if (!name) return;
      const changed = path.join(folder, name);
      const stat = fs.statSync(changed, { throwIfNoEntry: false });
      if (stat?.isDirectory()) watch(changed);
      else if (stat) onChange(changed);
      else forget(changed);
    });
    watcher.on('error', onError);
    watchers.set(folder, watcher);
    for (const subfolder of subfolders(folder)) watch(subfolder);
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  watch(root);
  return () => [...watchers.keys()].forEach(forget);
}
