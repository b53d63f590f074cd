// node tools/bootstrap.cjs test/bench/results/page.ts
// Writes docs/benchmarks.md from test/bench/results.json. A unit test compares them.
import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../../../tools/stack/context.ts';
import { cpuRatio, readReport, totalCpu, type KeptResult, type Report } from './results.ts';

export const RESULTS = path.join(REPO, 'test', 'bench', 'results.json');
/** What `npm run bench -- check` compares with. */
export const QUICK_RESULTS = path.join(REPO, 'test', 'bench', 'quick-results.json');
export const PAGE = path.join(REPO, 'docs', 'benchmarks.md');
const COMMIT_DIGITS = 8;
const COMMAND = '`npm run bench -- all --json test/bench/results.json`';
const HEAD = `# Benchmark results

Each path of the system next to the bare parts that it is made of, both measured in the same run on the same machine. The
[contributor's guide](../CONTRIBUTING.md#commands) lists the benchmarks.
`;
const COLUMNS = `
- **ours**, **bare**: units a second, medians over the rounds.
- **floor**: units a second of a minimal program that does all the work of the path, where the bare parts do less.
- **ours / bare**, **ours / floor**: the ratio, and after it the one that we aim for.
- **CPU**: microseconds of processor time a unit, all processes that serve the path together. Load generators are not included.
- **CPU ratio**: bare / ours by processor time. \`npm run bench -- check\` compares it for the paths in which other load on the machine changes it little.
- **measured**: day and commit. A benchmark with \`--json=test/bench/results.json\` replaces its own rows; \`node tools/bootstrap.cjs test/bench/results/page.ts\` then writes this page.
`;

const table = (rows: string[][]) => {
  const [head = []] = rows;
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column < 2 ? '---' : '--:'))), ...rows.slice(1).map(line)].join('\n');
};

/** @returns three digits, or all digits of a larger number */
function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}

const ratioCell = (value: number | null, target: number | null) =>
  value === null || !Number.isFinite(value) ? '–' : value.toFixed(2) + (target === null ? '' : ` (${target.toFixed(2)})`);

const row = ({ path: name, unit, target, floorTarget, ours, bare, floor, ratio, floorRatio, cpuPerOp, ...when }: KeptResult) => [
  name,
  unit,
  ...[ours, bare, floor].map(figure),
  ratioCell(ratio, target),
  ratioCell(floorRatio, floorTarget),
  ...[totalCpu(cpuPerOp.ours), totalCpu(cpuPerOp.bare)].map(figure),
  cpuRatio({ cpuPerOp }).toFixed(2),
  `${when.measuredAt.slice(0, 10)} \`${when.commit.slice(0, COMMIT_DIGITS)}\``,
];

function machineOf({ machine }: Report): string {
  const { cores, cpu, memoryBytes, os, node, parts } = machine;
  const versions = Object.entries(parts).map(([name, version]) => `${name} ${version}`);
  const memory = (memoryBytes / 1024 ** 3).toFixed(1);
  return `Measured on ${cores} cores (${cpu}), ${memory} GiB of memory, ${os}, Node ${node}, ${versions.join(', ')}.`;
}

/** @param report undefined: nothing was measured yet */
export function renderPage(report: Report | undefined): string {
  if (!report) return `${HEAD}\nNothing was measured on a quiet machine yet: ${COMMAND} writes the results and this page.\n`;
  const head = ['path', 'unit', 'ours', 'bare', 'floor', 'ours / bare', 'ours / floor', 'CPU ours', 'CPU bare', 'CPU ratio', 'measured'];
  const source = `${COMMAND} writes this page and its source, [results.json](../test/bench/results.json).`;
  return `${HEAD}\n${machineOf(report)}\n${source}\n\n${table([head, ...report.results.map(row)])}\n${COLUMNS}`;
}

export const writePage = () => fs.writeFileSync(PAGE, renderPage(readReport(RESULTS)));

if (import.meta.main) writePage();
