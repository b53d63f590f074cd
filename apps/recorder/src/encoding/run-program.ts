import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { inProgramSpan } from '@classroom/platform';
import { childEnvironment } from '../config.js';

const MAX_STDERR_CHARACTERS = 2_000;
/** Captures in progress on this machine have priority. */
const NICE = 10;

interface Options {
  /** The program is killed after this time. */
  timeoutMs?: number;
}

/** Runs a program to its end. Returns its output. @throws if it cannot be started or fails, with the last lines of its errors */
export function runProgram(file: string, args: string[], options: Options = {}): Promise<string> {
  return inProgramSpan(file, () => execute(file, args, options));
}

function execute(file: string, args: string[], { timeoutMs }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment(),
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_STDERR_CHARACTERS)));
    child.once('spawn', () => lowerPriority(child.pid));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${file} ended with ${signal ?? `code ${code}`}: ${stderr.trim()}`));
    });
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // The program has ended already, or the system does not allow this: then captures in progress only get less of the processor.
  }
}
