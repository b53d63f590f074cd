import { countAgain, countJest, failedFiles, total, lastLine } from './count.ts';

describe('counting', () => {
  test('passed and failed tests', () => {
    expect(countJest({ numPassedTests: 5, numFailedTests: 2, numRuntimeErrorTestSuites: 0 }, 1)).toEqual({ passed: 5, failed: 2 });
  });

  test('a suite that could not load is a failure', () => {
    expect(countJest({ numPassedTests: 5, numFailedTests: 0, numRuntimeErrorTestSuites: 1 }, 1)).toEqual({ passed: 5, failed: 1 });
  });

  test.each([
    ['no result', undefined, 1],
    ['no tests', { numPassedTests: 0, numFailedTests: 0 }, 0],
    ['only skipped tests', { numPassedTests: 0, numFailedTests: 0, numPendingTests: 3 }, 0],
  ])('%s is a failure', (_, result, code) => {
    expect(countJest(result, code)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('jest failing for another reason than a test is a failure', () => {
    expect(countJest({ numPassedTests: 5, numFailedTests: 0 }, 1)).toMatchObject({ passed: 5, failed: 1 });
  });

  const file = (name: string, ...statuses: string[]) => ({
    name,
    status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
    assertionResults: statuses.map((status, n) => ({ status, fullName: `${name} ${n}` })),
  });
  const first = { testResults: [file('a', 'passed', 'passed'), file('b', 'passed', 'failed'), file('c')] };

  test('files that failed, or could not load, are run again', () => {
    expect(failedFiles(first)).toEqual(['b', 'c']);
  });

  test('the second run of a file counts, and its first failure is named', () => {
    expect(countAgain(first, { passed: 3, failed: 0 })).toEqual({ passed: 5, failed: 0, note: 'failed at first: “b 1”' });
    expect(countAgain(first, { passed: 2, failed: 1, note: 'x' })).toEqual({ passed: 4, failed: 1, note: 'failed at first: “b 1”; x' });
  });

  test('the last line is the sum', () => {
    expect(
      lastLine(
        total([
          { passed: 1, failed: 0 },
          { passed: 5, failed: 2 },
        ]),
      ),
    ).toBe('6 passed, 2 failed');
  });
});
