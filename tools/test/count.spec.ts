import { countJest, failuresOf, total, totalOfParts, lastLine } from './count.ts';

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

  test('a part of a run may have no tests, but not only skipped ones, and not every part', () => {
    const none = { numPassedTests: 0, numFailedTests: 0 };
    expect(countJest(none, 0, true)).toEqual({ passed: 0, failed: 0 });
    expect(countJest({ ...none, numPendingTests: 3 }, 0, true)).toMatchObject({ failed: 1 });
    expect(countJest(none, 1, true)).toMatchObject({ failed: 1 });
    expect(
      totalOfParts([
        { passed: 0, failed: 0 },
        { passed: 2, failed: 0, note: '1 skipped' },
      ]),
    ).toEqual({ passed: 2, failed: 0, note: '1 skipped' });
    expect(totalOfParts([{ passed: 0, failed: 0 }])).toMatchObject({ failed: 1 });
  });

  test('jest failing for another reason than a test is a failure', () => {
    expect(countJest({ numPassedTests: 5, numFailedTests: 0 }, 1)).toMatchObject({ passed: 5, failed: 1 });
  });

  test('failed tests, and files that failed outside their tests, are named with their error', () => {
    const message = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
    const testResults = [
      { name: 'a.spec.ts', status: 'passed', assertionResults: [{ fullName: 'works', status: 'passed' }] },
      { name: 'b.spec.ts', status: 'failed', assertionResults: [{ fullName: 'breaks', status: 'failed', failureMessages: [message] }] },
      { name: 'c.spec.ts', status: 'failed', message: 'afterAll failed', assertionResults: [{ fullName: 'works', status: 'passed' }] },
    ];
    const [first, second, ...others] = failuresOf({ testResults }, (file) => `test/${file}`);
    expect(first).toMatch(/^test\/b\.spec\.ts: breaks\n {4}line 0\n[^]*line 11$/);
    expect(second).toBe('test/c.spec.ts\n    afterAll failed');
    expect(others).toEqual([]);
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
