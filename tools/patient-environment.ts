import { TestEnvironment } from 'jest-environment-node';

/** The same factor as in libs/testing: timeouts in tests are written for an idle machine. */
const SLOWNESS = 4;

interface Timed {
  timeout?: number | null;
}

/** The part of jest-circus's events that is read here. */
type Event =
  | { name: 'run_start' }
  | { name: 'test_start'; test: Timed }
  | { name: 'hook_start'; hook: Timed }
  | { name: 'test_done'; test: { errors: unknown[] } };

/** Multiplies the timeouts of tests and hooks, because other test files share the machine. */
export default class PatientEnvironment extends TestEnvironment {
  private readonly patient = new Set<Timed>();

  handleTestEvent(event: Event, state: { testTimeout: number }): void {
    if (event.name === 'run_start') state.testTimeout *= SLOWNESS;
    if (event.name === 'test_start' && event.test.timeout) event.test.timeout *= SLOWNESS;
    // A `beforeEach` hook starts once per test, but its timeout must be multiplied only once.
    if (event.name === 'hook_start' && event.hook.timeout && !this.patient.has(event.hook)) {
      event.hook.timeout *= SLOWNESS;
      this.patient.add(event.hook);
    }
    if (event.name === 'test_done') for (const error of event.test.errors.flat()) makeWritable(error);
  }
}

/**
 * Removes the fields of an error that JSON can't represent, such as a client's circular request and response. Otherwise jest loses its whole report.
 */
function makeWritable(error: unknown): void {
  if (error === null || typeof error !== 'object') return;
  try {
    JSON.stringify(error);
  } catch {
    for (const name of Object.keys(error)) Reflect.deleteProperty(error, name);
  }
}
