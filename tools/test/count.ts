export interface Count {
  passed: number;
  failed: number;
  note?: string;
}

/** The part of jest's `--json` result that is read here. */
export interface JestResult {
  success?: boolean;
  numPassedTests?: number;
  numFailedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  numRuntimeErrorTestSuites?: number;
}

/**
 * Counts the result of a jest run. A suite that could not load counts as one failed test. So does a run without a result or without tests:
 * a silent run must never look successful.
 * @param result undefined if jest wrote none
 */
export function countJest(result: JestResult | undefined, exitCode: number | null): Count {
  if (!result) return { passed: 0, failed: 1, note: `jest gave no result (exit code ${exitCode})` };
  const passed = result.numPassedTests ?? 0;
  const failed = (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0);
  if (passed + failed === 0) return { passed: 0, failed: 1, note: 'no tests were run' };
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: `jest ended with ${exitCode} though every test passed` };
  const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
  return { passed, failed, ...(skipped > 0 ? { note: `${skipped} skipped` } : {}) };
}

export function total(counts: Count[]): Count {
  return counts.reduce((sum, it) => ({ passed: sum.passed + it.passed, failed: sum.failed + it.failed }), { passed: 0, failed: 0 });
}

/** @param sum the counts to print; scripts parse this line */
export const lastLine = ({ passed, failed }: Count) => `${passed} passed, ${failed} failed`;
