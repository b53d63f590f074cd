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
