import { ringOf, type RingCounts } from './record.ts';

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
