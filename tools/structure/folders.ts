// The folders of a package and the imports between them: an order from the bottom up, and the imports that violate it.
import { readFileSync, readdirSync } from 'node:fs';
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
export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map(([, a, b, c]) => ({ from: file, to: join(dirname(file), a ?? b ?? c ?? '').replace(/\.js$/, '') }));
}

/**
 * @param root a package's src
 * @returns `order`: the package's folders, and the files next to them, from the bottom up, in the order with the fewest imports against it;
 * `upward`: those imports
 */
export function foldersOf(root: string): { order: string[]; upward: Import[] } {
  const placeOf = (file: string) => relative(root, file).split(sep)[0]?.replace(SOURCE, '') ?? '';
  const imports = sourcesOf(root)
    .flatMap(importsOf)
    .filter(({ to }) => !relative(root, to).startsWith('..'))
    .map((one) => ({ ...one, above: placeOf(one.from), below: placeOf(one.to) }))
    .filter(({ above, below }) => above !== below);
  const order = circlesOf(imports).flatMap((circle) => bestOrder(circle, imports));
  return { order, upward: imports.filter(({ above, below }) => order.indexOf(above) < order.indexOf(below)) };
}

/** @returns files of a package in an import cycle, type imports included */
export function filesInCircles(root: string): string[] {
  const sources = new Set(sourcesOf(root));
  const imports = [...sources]
    .flatMap(importsOf)
    .flatMap(({ from, to }) => [`${to}.ts`, `${to}.tsx`].filter((path) => sources.has(path)).map((below) => ({ above: from, below })));
  return circlesOf(imports)
    .filter((circle) => circle.length > 1)
    .flat();
}

/** Tarjan's strongly connected components, imported components first. */
function circlesOf(imports: Arrow[]): string[][] {
  const below = new Map<string, string[]>();
  for (const one of imports) {
    below.set(one.above, [...(below.get(one.above) ?? []), one.below]);
    below.set(one.below, below.get(one.below) ?? []);
  }
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  /** @returns the lowest number that can be reached from it */
  const visit = (name: string): number => {
    const number = lowest.size;
    let reached = number;
    lowest.set(name, reached);
    path.push(name);
    for (const next of below.get(name) ?? []) {
      const there = lowest.get(next) ?? visit(next);
      if (path.includes(next)) reached = Math.min(reached, there);
    }
    lowest.set(name, reached);
    if (reached === number) circles.push(path.splice(path.indexOf(name)));
    return reached;
  };
  for (const name of [...below.keys()].sort()) if (!lowest.has(name)) visit(name);
  return circles;
}

/** The exact optimum over all subsets of one cycle. */
function bestOrder(names: string[], imports: Arrow[]): string[] {
  const weights = names.map((above) => names.map((below) => imports.filter((one) => one.above === above && one.below === below).length));
  const size = 1 << names.length;
  const cost = new Int32Array(size).fill(-1);
  const last = new Int8Array(size).fill(-1);
  cost[0] = 0;
  for (let set = 1; set < size; set++) {
    for (let top = 0; top < names.length; top++) {
      if (!(set & (1 << top))) continue;
      const below = set & ~(1 << top);
      // With `top` above `below`, an import of `top` by a member of `below` is an upward import.
      let added = cost[below] ?? 0;
      weights.forEach((to, other) => {
        if (below & (1 << other)) added += to[top] ?? 0;
      });
      const least = cost[set] ?? -1;
      if (least < 0 || added < least) {
        cost[set] = added;
        last[set] = top;
      }
    }
  }
  const order: number[] = [];
  for (let set = size - 1; set > 0; set &= ~(1 << (order[0] ?? 0))) order.unshift(last[set] ?? 0);
  return order.flatMap((at) => names[at] ?? []);
}
