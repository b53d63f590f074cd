// Prints figures about the code's structure that can be compared between two commits.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isRepository, positionsOf, statementsIn } from '../sql/writers.ts';
import { filesInCircles, importsInCircles, sourcesOf } from './folders.ts';
import { isGenerated, packages, ROOT } from './sources.ts';

const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const own = packages().map(({ name, src }) => ({ name, src, files: sourcesOf(src).filter((file) => !isGenerated(relative(ROOT, file))) }));
const all = { name: 'all', files: own.flatMap(({ files }) => files) };
const rows = [...own, all].map(({ name, files, src }: { name: string; files: string[]; src?: string }) => [
  name,
  {
    files: files.length,
    lines: sum(files.map(lines)),
    median: median(files.map(lines)),
    longest: Math.max(...files.map(lines)),
    'folders in circles': src && importsInCircles(src).length,
    'files in circles': src && filesInCircles(src).length,
    'SQL in repositories': sum(files.filter(isRepository).map(statementsIn)),
    'most by position': src && Math.max(0, ...positionsOf(src).values()),
  },
]);
// oxlint-disable-next-line no-console
console.table(Object.fromEntries(rows));
