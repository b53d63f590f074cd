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
 * @returns {{ order: string[], upward: { from: string, to: string }[] }} `order`: the package's folders, and the files that lie
 *   beside them, from the ground up, in the order with the fewest imports against it; `upward`: those imports
 */
function foldersOf(root) {
  const placeOf = (file) => relative(root, file).split(sep)[0].replace(SOURCE, '');
  const imports = sourcesOf(root)
    .flatMap(importsOf)
    .filter(({ to }) => !relative(root, to).startsWith('..'))
    .map((one) => ({ ...one, above: placeOf(one.from), below: placeOf(one.to) }))
    .filter(({ above, below }) => above !== below);
  const order = circlesOf(imports).flatMap((circle) => bestOrder(circle, imports));
  const floor = new Map(order.map((name, index) => [name, index]));
  return { order, upward: imports.filter(({ above, below }) => floor.get(above) < floor.get(below)) };
}

/** @returns {string[]} files of a package that import each other in a circle, types included */
function filesInCircles(root) {
  const sources = new Set(sourcesOf(root));
  const imports = [...sources].flatMap(importsOf).flatMap(({ from, to }) => [`${to}.ts`, `${to}.tsx`].filter((path) => sources.has(path)).map((below) => ({ above: from, below })));
  return circlesOf(imports).filter((circle) => circle.length > 1).flat();
}

/** Tarjan's strongly connected components: those that others import come first. */
function circlesOf(imports) {
  const below = new Map();
  for (const one of imports) {
    below.set(one.above, [...(below.get(one.above) ?? []), one.below]);
    below.set(one.below, below.get(one.below) ?? []);
  }
  const [found, lowest, path, circles] = [new Map(), new Map(), [], []];
  const visit = (name) => {
    found.set(name, found.size);
    lowest.set(name, found.get(name));
    path.push(name);
    for (const next of below.get(name)) {
      if (!found.has(next)) visit(next);
      if (path.includes(next)) lowest.set(name, Math.min(lowest.get(name), lowest.get(next)));
    }
    if (lowest.get(name) === found.get(name)) circles.push(path.splice(path.indexOf(name)));
  };
  for (const name of [...below.keys()].sort()) if (!found.has(name)) visit(name);
  return circles;
}

/** Exact, over all subsets of one circle. */
function bestOrder(names, imports) {
  const index = new Map(names.map((name, at) => [name, at]));
  const weight = names.map(() => names.map(() => 0));
  for (const { above, below } of imports) if (index.has(above) && index.has(below)) weight[index.get(above)][index.get(below)] += 1;
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

module.exports = { filesInCircles, foldersOf, importsOf, sourcesOf };
