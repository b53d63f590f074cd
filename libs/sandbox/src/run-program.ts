import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const KEPT_CHARACTERS = 4_000;
const GRACE_MS = 500;
const LOOK_EVERY_MS = 1_000;

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
  isStuck: (processorSeconds: number | undefined) => boolean;
}

export interface Ended {
  code: number | null;
  endedBy: NodeJS.Signals | null;
  wasStuck: boolean;
  /** The end of stderr: for the log, never shown to users. */
  complaint: string;
}

/**
 * Runs a program until it ends, successfully or not.
 * @throws the signal's reason, or an error if the program cannot be started
 */
export function runProgram([file, ...args]: [file: string, ...args: string[]], options: RunOptions): Promise<Ended> {
  const { folder, signal, onOutput, isStuck } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(file, args, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    let complaint = '';
    let wasStuck = false;
    let grace: NodeJS.Timeout | undefined;
    const end = () => {
      child.kill('SIGTERM');
      grace ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    };
    const look = setInterval(() => {
      if (wasStuck || !isStuck(processorTime(child.pid))) return;
      wasStuck = true;
      end();
    }, LOOK_EVERY_MS);
    signal.addEventListener('abort', end, { once: true });
    if (typeof onOutput === 'function') child.stdout.setEncoding('utf8').on('data', onOutput);
    else child.stdout.on('data', onOutput.bytes);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-KEPT_CHARACTERS)));
    const settle = () => {
      clearInterval(look);
      clearTimeout(grace);
      signal.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, endedBy) => {
      settle();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, endedBy, wasStuck, complaint: complaint.trim() });
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
