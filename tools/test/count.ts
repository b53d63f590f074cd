import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

export interface Count {
  passed: number;
  failed: number;
  note?: string;
  /** For each failed test its file, its name and the start of its error. */
  failures?: string[];
  /** Executed tests by ring. */
  rings?: RingCounts;
}

/** The part of jest's `--json` result that is read here. */
export interface JestResult {
  success?: boolean;
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  numRuntimeErrorTestSuites?: number;
  testResults?: FileResult[];
}

interface FileResult {
  name: string;
  status: string;
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
}

/** Lines of an error that are repeated at the end of a run. */
const ERROR_LINES = 12;

/** @returns one text for each failed test, and for each file that failed outside its tests */
export function failuresOf(result: JestResult | undefined, shortName: (file: string) => string): string[] {
  const text = (name: string, error: string) => [name, ...error.trim().split('\n').slice(0, ERROR_LINES)].join('\n    ');
  return (result?.testResults ?? [])
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0) return text(shortName(file.name), file.message ?? '');
      return failed.map((test) => text(`${shortName(file.name)}: ${test.fullName}`, test.failureMessages?.[0] ?? ''));
    });
}

/** @returns how many tests passed or failed, by ring */
export function ringsOf(result: JestResult | undefined, shortName: (file: string) => string): RingCounts {
  const counts: RingCounts = {};
  for (const { name, assertionResults } of result?.testResults ?? []) {
    const ring = ringOf(shortName(name));
    const executed = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed').length;
    counts[ring] = (counts[ring] ?? 0) + executed;
  }
  return counts;
}

function sumOfRings(counts: Count[]): RingCounts {
  const sum: RingCounts = {};
  for (const [ring, count] of counts.flatMap(({ rings = {} }) => Object.entries(rings))) sum[ring] = (sum[ring] ?? 0) + count;
  return sum;
}

const NONE_RUN: Count = { passed: 0, failed: 1, note: 'no tests were run' };

/** The sum of the parts of a run, which fails if none of them had tests. */
export function totalOfParts(parts: Count[]): Count {
  const sum = total(parts);
  if (sum.passed + sum.failed === 0) return NONE_RUN;
  const note = parts.flatMap((part) => part.note ?? []).join('; ');
  return { ...sum, ...(note ? { note } : {}) };
}

/**
 * Counts the result of a jest run. A suite that could not load counts as one failed test. So does a run without a result or without tests:
 * a silent run must never look successful.
 * @param result undefined if jest wrote none
 * @param mayBeEmpty for a part of a run, which may have no tests
 */
export function countJest(result: JestResult | undefined, exitCode: number | null, mayBeEmpty = false): Count {
  if (!result) return { passed: 0, failed: 1, note: `jest gave no result (exit code ${exitCode})` };
  const passed = result.numPassedTests ?? 0;
  const failed = (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0);
  const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
  if (passed + failed + skipped === 0 && exitCode === 0 && mayBeEmpty) return { passed: 0, failed: 0 };
  if (passed + failed === 0) return NONE_RUN;
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: `jest ended with ${exitCode} though every test passed` };
  return { passed, failed, ...(skipped > 0 ? { note: `${skipped} skipped` } : {}) };
}

export function total(counts: Count[]): Count {
  const sum = counts.reduce((sum, it) => ({ passed: sum.passed + it.passed, failed: sum.failed + it.failed }), { passed: 0, failed: 0 });
  const failures = counts.flatMap((it) => it.failures ?? []);
  const rings = sumOfRings(counts);
  return { ...sum, ...(failures.length > 0 ? { failures } : {}), ...(Object.keys(rings).length > 0 ? { rings } : {}) };
}

/** @param sum the counts to print; scripts parse this line */
export const lastLine = ({ passed, failed }: Count) => `${passed} passed, ${failed} failed`;

/** The form of a run: `npm test` or `npm run test:all`. */
export type Form = 'short' | 'all';

/** Number of executed tests by ring. */
export type RingCounts = Record<string, number>;

const FILE = path.join(REPO, 'test', 'counts.json');
const RINGS_OF_FOLDERS = ['system', 'chaos', 'reference', 'deploy', 'docs', 'upgrade'];

/** @param file path in the repository @returns the ring that it counts for */
export function ringOf(file: string): string {
  const folder = /^test\/([a-z]+)\//.exec(file)?.[1] ?? '';
  if (RINGS_OF_FOLDERS.includes(folder)) return folder;
  return /\.it(?:\.long)?\.spec\.ts$/.test(file) ? 'integration' : 'unit';
}

/**
 * Compares what a whole run executed with the recorded number of tests, so that none vanishes unnoticed.
 * @returns what to print for each ring with fewer tests, and the counts of the rings with more
 */
export function compareWithRecord(recorded: RingCounts, executed: RingCounts): { fewer: string[]; more: RingCounts } {
  const rings = Object.entries(executed);
  const fewer = rings
    .filter(([ring, count]) => count < (recorded[ring] ?? 0))
    .map(
      ([ring, count]) =>
        `${ring}: ${count} tests ran, test/counts.json records ${recorded[ring]}. Restore what is missing; if tests were removed on purpose, lower the record in the same commit and say why.`,
    );
  return { fewer, more: Object.fromEntries(rings.filter(([ring, count]) => count > (recorded[ring] ?? 0))) };
}

export const readRecord = (): Record<Form, RingCounts> => JSON.parse(fs.readFileSync(FILE, 'utf8')) as Record<Form, RingCounts>;

/**
 * @param more counts of the rings that executed more tests than recorded
 * @returns the record with these counts; `all` runs what `short` runs, so it never records fewer
 */
export function raised(record: Record<Form, RingCounts>, form: Form, more: RingCounts): Record<Form, RingCounts> {
  const next = { ...record, [form]: { ...record[form], ...more } };
  for (const [ring, count] of Object.entries(next.short)) next.all = { ...next.all, [ring]: Math.max(count, next.all[ring] ?? 0) };
  return next;
}

/** Raises the record of a form; the file is then committed with the new tests. */
export function raiseRecord(form: Form, more: RingCounts): void {
  fs.writeFileSync(FILE, `${JSON.stringify(raised(readRecord(), form, more), null, 2)}\n`);
}
