// The imports between the folders and between the files of a package: none of them may be part of a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'(\.[^']+)'|(?:^|\n)\s*import\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g;
const SOURCE = /\.(ts|tsx|mts)$/;
const TEST = /\.spec\.tsx?$/;

/** @returns paths of production files under `folder`, without tests */
export function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** An import of one file by another. `to` has no extension. */
export interface Import {
  from: string;
  to: string;
}

/** An import between two folders or two files. */
interface Arrow {
  above: string;
  below: string;
}

/** @returns the imports of a file from its own package */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map(([, a, b, c]) => ({ from: file, to: join(dirname(file), a ?? b ?? c ?? '').replace(/\.js$/, '') }));
}

/**
 * @param root a package's src
 * @returns the imports between its folders, and the files next to them, that lead back to the importing one
 */
export function importsInCircles(root: string): Import[] {
  const placeOf = (file: string) => relative(root, file).split(sep)[0]?.replace(SOURCE, '') ?? '';
  const imports = sourcesOf(root)
    .flatMap(importsOf)
    .filter(({ to }) => !relative(root, to).startsWith('..'))
    .map((one) => ({ ...one, above: placeOf(one.from), below: placeOf(one.to) }))
    .filter(({ above, below }) => above !== below);
  const reached = reachedFrom(imports);
  return imports.filter(({ above, below }) => reached(below).has(above));
}

/** @returns files of a package in an import cycle, type imports included */
export function filesInCircles(root: string): string[] {
  const sources = new Set(sourcesOf(root));
  const imports = [...sources]
    .flatMap(importsOf)
    .flatMap(({ from, to }) => [`${to}.ts`, `${to}.tsx`].filter((path) => sources.has(path)).map((below) => ({ above: from, below })));
  const reached = reachedFrom(imports);
  return [...sources].filter((file) => reached(file).has(file));
}

/** @returns what one imports, directly or through others */
function reachedFrom(imports: Arrow[]): (name: string) => Set<string> {
  const below = Map.groupBy(imports, ({ above }) => above);
  return (name) => {
    const found = new Set<string>();
    const waiting = [name];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const added = (below.get(at) ?? []).map((one) => one.below).filter((it) => !found.has(it));
      for (const it of added) found.add(it);
      waiting.push(...added);
    }
    return found;
  };
}
