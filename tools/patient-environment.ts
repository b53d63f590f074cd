import { TestEnvironment } from 'jest-environment-node';

/** As `patience` in libs/testing: the times in tests are for a quiet machine. */
const SLOWNESS = 4;

interface Timed {
  timeout?: number | null;
}

/** What is looked at of jest-circus's events. */
type Event =
  | { name: 'run_start' }
  | { name: 'test_start'; test: Timed }
  | { name: 'hook_start'; hook: Timed }
  | { name: 'test_done'; test: { errors: unknown[] } };

/** Gives tests and hooks longer than they ask for, where neighbours share the machine. */
export default class PatientEnvironment extends TestEnvironment {
  private readonly patient = new Set<Timed>();

  handleTestEvent(event: Event, state: { testTimeout: number }): void {
    if (event.name === 'run_start') state.testTimeout *= SLOWNESS;
    if (event.name === 'test_start' && event.test.timeout) event.test.timeout *= SLOWNESS;
    // One before each test is started again and again.
    if (event.name === 'hook_start' && event.hook.timeout && !this.patient.has(event.hook)) {
      event.hook.timeout *= SLOWNESS;
      this.patient.add(event.hook);
    }
    if (event.name === 'test_done') for (const error of event.test.errors.flat()) makeWritable(error);
  }
}

/** What jest's report can't write (a client's error with its request and answer in circles) would cost the whole report. */
function makeWritable(error: unknown): void {
  if (error === null || typeof error !== 'object') return;
  try {
    JSON.stringify(error);
  } catch {
    for (const name of Object.keys(error)) Reflect.deleteProperty(error, name);
  }
}
