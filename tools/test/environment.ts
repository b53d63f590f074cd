import fs from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';
import { failureFile, failureReport } from './failure-report.ts';

/** The part of jest-circus's events that is read here. */
type Event =
  | { name: 'test_start'; test: { name: string } }
  | { name: 'test_done'; test: { name: string; errors: unknown[] } }
  | { name: 'run_start' };

/** Where Node keeps the connections of its `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Lines of this process that are kept for a failure. */
const MOST_CAPTURED = 2_000;

/** The folders of stacks that TestStack started in this test file. */
interface TestGlobals {
  testStackHomes?: Set<string>;
}

/**
 * Collects what a failed test needs to be understood: the lines that its process logged, those of the services it started, and the traces of
 * their errors. The logger writes to descriptor 1 directly, so writes to it are captured; a passing test prints none of them.
 */
export default class CollectingEnvironment extends TestEnvironment {
  private readonly testPath: string;
  private captured: string[] = [];
  private began = new Date();
  private release = () => {};
  private readonly testTimeout: unknown;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.testPath = context.testPath;
    this.testTimeout = config.projectConfig.testEnvironmentOptions['testTimeout'];
  }

  override async setup(): Promise<void> {
    await super.setup();
    const original = fs.writeSync;
    const capture = (descriptor: number, data: unknown, ...rest: never[]) => {
      if (descriptor !== 1) return (original as (...all: unknown[]) => number)(descriptor, data, ...rest);
      const text = typeof data === 'string' ? data : Buffer.from(data as Uint8Array).toString('utf8');
      this.captured.push(...text.split('\n').filter(Boolean));
      if (this.captured.length > MOST_CAPTURED) this.captured = this.captured.slice(-MOST_CAPTURED / 2);
      return Buffer.byteLength(text);
    };
    fs.writeSync = capture as typeof fs.writeSync;
    this.release = () => {
      fs.writeSync = original;
    };
  }

  override async teardown(): Promise<void> {
    this.release();
    closeKeptConnections();
    await super.teardown();
  }

  handleTestEvent(event: Event, state: { testTimeout: number }): void {
    if (event.name === 'run_start' && typeof this.testTimeout === 'number') state.testTimeout = this.testTimeout;
    if (event.name === 'test_start') this.began = new Date();
    if (event.name !== 'test_done' || event.test.errors.length === 0) return;
    for (const error of event.test.errors.flat()) makeWritable(error);
    const file = failureFile(this.testPath);
    if (!file) return;
    const report = failureReport([...((this.global as TestGlobals).testStackHomes ?? [])], this.captured, this.began);
    if (report.length > 0)
      fs.appendFileSync(file, [`  Logs during “${event.test.name}”:`, ...report.map((line) => `    ${line}`), ''].join('\n'));
  }
}

interface Dispatcher {
  constructor: new () => Dispatcher;
  close(): Promise<void>;
}

/**
 * Closes the connections that `fetch` keeps open. The next file of this process could otherwise use one that its server has closed meanwhile:
 * loading a file takes seconds, in which the process does not notice.
 */
function closeKeptConnections(): void {
  const global = globalThis as { [DISPATCHER]?: Dispatcher };
  const dispatcher = global[DISPATCHER];
  if (!dispatcher) return;
  global[DISPATCHER] = new dispatcher.constructor();
  void dispatcher.close();
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
