import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { codeOf, Interrupted, StackError, tail } from './context.ts';
import { identify, killGroup, ownerId, type PidRecord, removePid, writePid } from './pidfile.ts';

export interface RunOptions {
  /** Name of the command in error messages, such as `pnpm install`. */
  what: string;
  logFile: string;
  /** Home in which the pid is recorded, so that a compiler does not continue for minutes after its launcher was killed. */
  home?: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  input?: string;
  uid?: number;
  gid?: number;
  timeoutMs?: number;
}

/** Runs a command until it ends. Its output goes to the log file. */
export async function run(file: string, args: string[], options: RunOptions): Promise<void> {
  const { cwd, env = process.env, logFile, home, what, signal, input, uid, gid, timeoutMs = 15 * 60_000 } = options;
  if (signal?.aborted) throw new Interrupted();
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const log = fs.openSync(logFile, 'a');
  const from = fs.fstatSync(log).size;
  // detached: its own process group, so that an interrupt also ends the processes that the command started (compilers).
  const child = spawn(file, args, { cwd, env, uid, gid, detached: true, stdio: [input === undefined ? 'ignore' : 'pipe', log, log] });
  fs.closeSync(log);
  const record: PidRecord | undefined =
    home && child.pid
      ? { name: `tool-${child.pid}`, pid: child.pid, identity: identify(child.pid) ?? '', owner: ownerId(), order: 0, signal: 'SIGTERM' }
      : undefined;
  if (home && record) writePid(home, record);
  let isTooLate = false;
  const end = () => {
    if (child.pid) killGroup(child.pid);
  };
  const timer = setTimeout(() => {
    isTooLate = true;
    end();
  }, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  process.once('exit', end);
  try {
    const outcome = await new Promise<unknown>((resolve) => {
      child.once('error', (error) => resolve(error));
      child.once('exit', (code, killedBy) => resolve(killedBy ?? code));
      if (input !== undefined) {
        child.stdin?.on('error', () => {});
        child.stdin?.end(input);
      }
    });
    if (signal?.aborted) throw new Interrupted();
    if (outcome === 0) return;
    if (codeOf(outcome) === 'ENOENT')
      throw new StackError(`${file} is not installed and ${what} needs it: install it and try again.`, { code: 'command' });
    const why = isTooLate ? `took longer than ${timeoutMs / 1000} s` : outcome instanceof Error ? outcome.message : `ended with ${outcome}`;
    throw new StackError(`${what} ${why}; see ${logFile}.`, { details: tail(logFile, from, 8), code: 'command' });
  } finally {
    if (home && record) removePid(home, record);
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    process.removeListener('exit', end);
  }
}

/**
 * Runs a program briefly to read its output.
 * @returns what it printed; undefined if it failed or does not exist
 */
export function ask(
  file: string,
  args: string[],
  { env = process.env, timeoutMs = 10_000 }: { env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<string | undefined> {
  const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 256 * 2 ** 20 } as const;
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => resolve(error ? undefined : `${stdout}${stderr}`.trim()));
    child.stdin?.end();
  });
}
