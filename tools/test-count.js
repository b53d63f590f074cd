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

/**
 * The files of a run that have a failed test or could not load.
 * @param {any} result jest's `--json` result @returns {string[]}
 */
const failedFiles = (result) => (result?.testResults ?? []).filter((/** @type {any} */ file) => file.status === 'failed').map((/** @type {any} */ file) => file.name);

/**
 * A run whose failed files were run once more: of those the second run counts, and the note names what failed at first.
 * @param {any} first jest's `--json` result @param {Count} second
 * @returns {Count}
 */
function countAgain(first, second) {
  const good = (first.testResults ?? []).filter((/** @type {any} */ file) => file.status !== 'failed');
  const passed = good.flatMap((/** @type {any} */ file) => file.assertionResults).filter((/** @type {any} */ test) => test.status === 'passed').length;
  const names = (first.testResults ?? []).flatMap((/** @type {any} */ file) => file.assertionResults).filter((/** @type {any} */ test) => test.status === 'failed');
  const told = names.map((/** @type {any} */ test) => `“${test.fullName}”`).join(', ') || 'a file that could not load';
  const note = [`failed at first: ${told}`, second.note].filter(Boolean).join('; ');
  return { passed: passed + second.passed, failed: second.failed, note };
}

/** @param {Count[]} counts */
function total(counts) {
  return counts.reduce((sum, it) => ({ passed: sum.passed + it.passed, failed: sum.failed + it.failed }), { passed: 0, failed: 0 });
}

/** @param {Count} sum the one line that a machine reads */
const lastLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

module.exports = { countJest, countAgain, failedFiles, total, lastLine };
