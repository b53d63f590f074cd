import { spawn } from 'node:child_process';
import { readFileSync, constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * The absolute path of a program. It is needed because the program runs without an environment, and therefore without a PATH.
 * @param program a name, or a path
 * @param searchPath folders in the format of PATH
 * @throws Error if the program is not installed
 */
export async function locateProgram(program: string, searchPath: string): Promise<string> {
  const folders = program.includes('/') ? [''] : searchPath.split(delimiter);
  for (const folder of folders) {
    const file = resolve(folder, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Error(`${program} is not installed`);
}

const MAX_STDERR_CHARACTERS = 4_000;
const GRACE_MS = 500;
const CHECK_INTERVAL_MS = 1_000;

export interface RunOptions {
  /** Working directory of the program. The program gets no environment. */
  folder: string;
  signal: AbortSignal;
  /** Receives stdout as it arrives, as text or as bytes. */
  onOutput: ((text: string) => void) | { bytes: (part: Buffer) => void };
  /**
   * Called every second; true ends the program. `processorSeconds` is the processor time used so far; undefined if the system
   * does not report it.
   */
  isStalled: (processorSeconds: number | undefined) => boolean;
}

export interface ProgramResult {
  code: number | null;
  exitSignal: NodeJS.Signals | null;
  wasStalled: boolean;
  /** The end of stderr: for the log, never shown to users. */
  stderrTail: string;
}

/**
 * Runs a program until it ends, successfully or not.
 * @throws the signal's reason, or an error if the program cannot be started
 */
export function runProgram([file, ...args]: [file: string, ...args: string[]], options: RunOptions): Promise<ProgramResult> {
  const { folder, signal, onOutput, isStalled } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(file, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderrTail = '';
    let wasStalled = false;
    let grace: NodeJS.Timeout | undefined;
    const terminate = () => {
      child.kill('SIGTERM');
      grace ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    const check = setInterval(() => {
      if (wasStalled || !isStalled(processorTime(child.pid))) return;
      wasStalled = true;
      terminate();
    }, CHECK_INTERVAL_MS);
    signal.addEventListener('abort', terminate, { once: true });
    if (typeof onOutput === 'function') child.stdout.setEncoding('utf8').on('data', onOutput);
    else child.stdout.on('data', onOutput.bytes);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderrTail = (stderrTail + text).slice(-MAX_STDERR_CHARACTERS)));
    const cleanUp = () => {
      clearInterval(check);
      clearTimeout(grace);
      signal.removeEventListener('abort', terminate);
    };
    child.once('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.once('close', (code, exitSignal) => {
      cleanUp();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, exitSignal, wasStalled, stderrTail: stderrTail.trim() });
    });
  });
}

/** Processor time of all threads in seconds. The kernel reports it in hundredths of a second. */
function processorTime(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may contain any character.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return ((user ?? 0) + (system ?? 0)) / 100;
  } catch {
    return undefined;
  }
}
