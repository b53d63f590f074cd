import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { seconds } from '../stack/progress.ts';
import { failureFile } from './failure-report.ts';

/** The part of jest's results that is read here. */
interface FileResult {
  testFilePath: string;
  numPassingTests: number;
  numFailingTests: number;
  numPendingTests: number;
  failureMessage?: string | null;
  testExecError?: unknown;
  perfStats: { start: number; end: number };
}

/** A file that runs longer is named once a minute: a run without output looks as if it hangs. Milliseconds. */
const REMIND_MS = 60_000;

/**
 * Prints one line per test file, and for a file with a failed test the failures, followed by the logs and traces that the environment
 * collected for them. The runner passes the terminal as descriptor 3, because output of jest and of the system under test goes to a file.
 */
export default class LineReporter {
  private readonly running = new Map<string, number>();
  private readonly out = fs.existsSync('/proc/self/fd/3') && process.env.TEST_REPORT_FD ? Number(process.env.TEST_REPORT_FD) : 1;
  private timer: NodeJS.Timeout | undefined;

  onRunStart(): void {
    this.timer = setInterval(() => {
      for (const [file, since] of this.running) {
        const ms = Date.now() - since;
        if (ms > REMIND_MS) this.line(`  … ${file} (${Math.round(ms / 1000)} s)`);
      }
    }, REMIND_MS).unref();
  }

  onTestFileStart({ path: file }: { path: string }): void {
    this.running.set(shortName(file), Date.now());
  }

  onTestFileResult(_test: unknown, result: FileResult): void {
    const name = shortName(result.testFilePath);
    this.running.delete(name);
    const { numPassingTests: passed, numFailingTests: failed, numPendingTests: skipped, perfStats, failureMessage } = result;
    const isPassed = failed === 0 && !result.testExecError;
    const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean).join(', ');
    this.line(`  ${isPassed ? '✓' : '✗'} ${name.padEnd(64)} ${seconds(perfStats.end - perfStats.start).padStart(8)}  ${counts}`);
    if (isPassed) return;
    if (failureMessage) this.line(failureMessage);
    const collected = failureFile(result.testFilePath);
    if (collected && fs.existsSync(collected)) this.line(fs.readFileSync(collected, 'utf8'));
  }

  onRunComplete(): void {
    clearInterval(this.timer);
  }

  private line(text: string): void {
    fs.writeSync(this.out, `${text}\n`);
  }
}

const shortName = (file: string) => path.relative(REPO, file);
