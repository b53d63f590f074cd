'use strict';
// What the structure of the code amounts to, in figures that can be compared between two commits.
const { readFileSync } = require('node:fs');
const { relative } = require('node:path');
const { filesInCircles, foldersOf, sourcesOf } = require('./folders.js');
const { packages, ROOT } = require('./packages.js');

/** A statement of its own, as they begin in this repository. */
const STATEMENT = /[`'"]\s*(?:WITH \w+ AS|SELECT |INSERT INTO |UPDATE \w+ |DELETE FROM )/g;
const GENERATED = new Set(['libs/sdk/src/schema.ts', 'libs/sdk/src/resources.ts', 'apps/classroom/src/session/routes.ts']);

const lines = (file) => readFileSync(file, 'utf8').split('\n').length - 1;
const isRepository = (file) => file.endsWith('.repository.ts');
const statementsOf = (file) => readFileSync(file, 'utf8').match(STATEMENT)?.length ?? 0;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const rows = packages().map(({ name, src }) => {
  const files = sourcesOf(src).filter((file) => !GENERATED.has(relative(ROOT, file)));
  const services = name.startsWith('apps/') && name !== 'apps/classroom';
  return {
    package: name,
    files: files.length,
    lines: sum(files.map(lines)),
    median: median(files.map(lines)),
    longest: Math.max(...files.map(lines)),
    upward: foldersOf(src).upward.length,
    circles: filesInCircles(src).length,
    'SQL in repositories': services ? sum(files.filter(isRepository).map(statementsOf)) : 0,
    'SQL elsewhere': services ? sum(files.filter((file) => !isRepository(file)).map(statementsOf)) : 0,
    'RPC handlers': files.filter((file) => file.endsWith('.rpc.ts') && services).length,
    controllers: files.filter((file) => file.endsWith('.controller.ts')).length,
  };
});
const all = packages().flatMap(({ src }) => sourcesOf(src)).filter((file) => !GENERATED.has(relative(ROOT, file)));
const total = Object.fromEntries(Object.keys(rows[0]).map((key) => [key, key === 'package' ? 'all' : sum(rows.map((row) => row[key]))]));
Object.assign(total, { median: median(all.map(lines)), longest: Math.max(...all.map(lines)) });

const table = [...rows, total];
const widths = Object.keys(total).map((key) => Math.max(key.length, ...table.map((row) => String(row[key]).length)));
const line = (cells) => cells.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]))).join('  ');
process.stdout.write(`${[Object.keys(total), ...table.map((row) => Object.values(row))].map(line).join('\n')}\n`);
