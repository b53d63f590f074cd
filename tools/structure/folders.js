'use strict';
// The folders of one package and who imports whom: an order from the ground up, and the imports that run against it.
const { readFileSync, readdirSync } = require('node:fs');
const { dirname, join, relative, sep } = require('node:path');

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'(\.[^']+)'|(?:^|\n)\s*import\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g;
const SOURCE = /\.(ts|tsx|mts)$/;
const TEST = /\.spec\.tsx?$/;

/** @returns {string[]} paths of production files under `folder`, tests left out */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !TEST.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @returns {{ from: string, to: string }[]} files of the package and what they import from it, without extension */
function importsOf(file) {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(IMPORT)].map(([, a, b, c]) => ({ from: file, to: join(dirname(file), a ?? b ?? c).replace(/\.js$/, '') }));
}

/**
 * @param {string} root a package's src
 * @returns {{ folders: string[], upward: { from: string, to: string }[] }} `folders` from the ground up, in the order with the fewest
 *   imports against it; files that lie in `root` itself put the package together and stand above all folders
 */
function foldersOf(root) {
  const folderOf = (file) => {
    const parts = relative(root, file).split(sep);
    return parts.length > 1 ? parts[0] : undefined;
  };
  const imports = sourcesOf(root)
    .flatMap(importsOf)
    .filter(({ to }) => !relative(root, to).startsWith('..'))
    .map((one) => ({ ...one, above: folderOf(one.from), below: folderOf(one.to) }))
    // What a folder imports from the package's own root is upward; what the root imports is not.
    .filter(({ above, below }) => above !== undefined && above !== below);
  const fromRoot = imports.filter(({ below }) => below === undefined);
  const between = imports.filter(({ below }) => below !== undefined);
  const names = [...new Set(between.flatMap(({ above, below }) => [above, below]))].sort();
  const folders = bestOrder(names, between);
  const floor = new Map(folders.map((name, index) => [name, index]));
  const upward = between.filter(({ above, below }) => floor.get(above) < floor.get(below));
  return { folders, upward, fromRoot };
}

/** Exact, over all subsets: packages have few folders. */
function bestOrder(names, imports) {
  const index = new Map(names.map((name, at) => [name, at]));
  const weight = names.map(() => names.map(() => 0));
  for (const { above, below } of imports) weight[index.get(above)][index.get(below)] += 1;
  const size = 1 << names.length;
  const cost = new Int32Array(size).fill(-1);
  const last = new Int8Array(size).fill(-1);
  cost[0] = 0;
  for (let set = 1; set < size; set++) {
    for (let top = 0; top < names.length; top++) {
      if (!(set & (1 << top))) continue;
      const below = set & ~(1 << top);
      // `top` is put above `below`: what `below` imports from it runs upward.
      let added = cost[below];
      for (let other = 0; other < names.length; other++) if (below & (1 << other)) added += weight[other][top];
      if (cost[set] < 0 || added < cost[set]) {
        cost[set] = added;
        last[set] = top;
      }
    }
  }
  const order = [];
  for (let set = size - 1; set > 0; set &= ~(1 << last[set])) order.unshift(names[last[set]]);
  return order;
}

module.exports = { foldersOf, importsOf, sourcesOf };
