'use strict';

/**
 * @typedef {{ passed: number, failed: number, note?: string }} Count
 */

/**
 * What a jest run counts for. A suite that could not even load counts as one failed test, a run that says nothing or
 * found no test as one too: silence must never look like success.
 * @param {any} result jest's `--json` result; undefined when it wrote none
 * @param {number | null} exitCode
 * @returns {Count}
 */
function countJest(result, exitCode) {
  if (!result) return { passed: 0, failed: 1, note: `jest gave no result (exit code ${exitCode})` };
  const passed = result.numPassedTests ?? 0;
  const failed = (result.numFailedTests ?? 0) + (result.numRuntimeErrorTestSuites ?? 0);
  if (passed + failed === 0) return { passed: 0, failed: 1, note: 'no tests were run' };
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: `jest ended with ${exitCode} though every test passed` };
  const skipped = (result.numPendingTests ?? 0) + (result.numTodoTests ?? 0);
  return { passed, failed, ...(skipped > 0 ? { note: `${skipped} skipped` } : {}) };
}

/** @param {Count[]} counts */
function total(counts) {
  return counts.reduce((sum, it) => ({ passed: sum.passed + it.passed, failed: sum.failed + it.failed }), { passed: 0, failed: 0 });
}

/** @param {Count} sum the one line that a machine reads */
const lastLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

module.exports = { countJest, total, lastLine };
