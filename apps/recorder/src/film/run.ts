import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { inProgramSpan } from '@classroom/platform';
import { childEnvironment } from '../config.js';

const KEPT_CHARACTERS = 2_000;
/** Captures that go on beside it come first. */
const NICE = 10;

/** Runs a program to its end. Answers what it said. @throws where it can't be started or fails, with the last it complained of */
export function run(file: string, args: string[]): Promise<string> {
  return inProgramSpan(file, () => toItsEnd(file, args));
}

function toItsEnd(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: childEnvironment() });
    let said = '';
    let complained = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complained = (complained + text).slice(-KEPT_CHARACTERS)));
    child.once('spawn', () => lowerPriority(child.pid));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(said);
      else reject(new Error(`${file} ended with ${signal ?? `code ${code}`}: ${complained.trim()}`));
    });
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // It has ended already, or the system does not let us: it only takes longer for the others.
  }
}
