// Prints figures about the code's structure that can be compared between two commits.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isRepository, positionsOf, statementsIn } from '../sql/writers.ts';
import { filesInCircles, foldersOf, sourcesOf } from './folders.ts';
import { isGenerated } from './generated.ts';
import { packages, ROOT } from './packages.ts';

const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

type Row = Record<string, string | number>;

const rows = packages().map(({ name, src }): Row => {
  const files = sourcesOf(src).filter((file) => !isGenerated(relative(ROOT, file)));
  const services = name.startsWith('apps/') && name !== 'apps/classroom' && name !== 'apps/console';
  return {
    package: name,
    files: files.length,
    lines: sum(files.map(lines)),
    median: median(files.map(lines)),
    longest: Math.max(...files.map(lines)),
    upward: foldersOf(src).upward.length,
    circles: filesInCircles(src).length,
    'SQL in repositories': services ? sum(files.filter(isRepository).map(statementsIn)) : 0,
    'SQL elsewhere': services ? sum(files.filter((file) => !isRepository(file)).map(statementsIn)) : 0,
    'most by position': Math.max(0, ...positionsOf(src).values()),
    controllers: files.filter((file) => file.endsWith('.controller.ts')).length,
  };
});
const all = packages()
  .flatMap(({ src }) => sourcesOf(src))
  .filter((file) => !isGenerated(relative(ROOT, file)));
const total: Row = Object.fromEntries(
  Object.keys(rows[0] ?? {}).map((key) => [key, key === 'package' ? 'all' : sum(rows.map((row) => Number(row[key])))]),
);
Object.assign(total, {
  median: median(all.map(lines)),
  longest: Math.max(...all.map(lines)),
  'most by position': Math.max(...rows.map((row) => Number(row['most by position']))),
});

const table = [...rows, total];
const widths = Object.keys(total).map((key) => Math.max(key.length, ...table.map((row) => String(row[key]).length)));
const line = (cells: (string | number)[]) =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0))).join('  ');
process.stdout.write(`${[Object.keys(total), ...table.map((row) => Object.values(row))].map(line).join('\n')}\n`);

/** A backend's endpoint and a participant's. */
const TRACED = ['getRoomSummary', 'createPoll'];
/** Hand-written files that contain an operation's name: its declaration, its use case and its callers. */
const filesNaming = (operation: string) =>
  execFileSync('git', ['grep', '-lw', operation, '--', '*.ts', '*.tsx'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !isGenerated(file) && !file.startsWith('tools/'));
for (const operation of TRACED) process.stdout.write(`\n${operation} is named in ${filesNaming(operation).join(', ')}\n`);
