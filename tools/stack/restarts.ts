import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, readPid, runDir } from './pidfile.ts';
import { StackError } from './errors.ts';
import type { ManagedProcess } from './process.ts';

const requestsDir = (home: string) => path.join(runDir(home), 'restart');
const errorFile = (request: string) => `${request}.error`;

/** Restarts the processes that `requestRestart` names, as long as this process runs. */
export function serveRestarts(home: string, processes: Record<string, ManagedProcess>): void {
  const folder = requestsDir(home);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  let queue = Promise.resolve();
  const restart = async (name: string) => {
    const request = path.join(folder, name);
    const handle = processes[name];
    if (!handle || !fs.existsSync(request)) return;
    try {
      // A service loses nothing when it is killed, and a graceful stop would take longer.
      await handle.kill();
      await handle.start();
    } catch (error) {
      const { message, details } = error instanceof StackError ? error : { message: String(error), details: [] };
      fs.writeFileSync(errorFile(request), [message, ...details].join('\n'));
    } finally {
      fs.rmSync(request, { force: true });
    }
  };
  fs.watch(folder, (_event, name) => {
    if (name) queue = queue.then(() => restart(name));
  });
}

/**
 * Asks the launcher of a running stack to restart one process, and waits until it serves again.
 * @throws {StackError} if no stack runs in this home, it does not run the process, or the process could not start
 */
export async function requestRestart(home: string, name: string, timeoutMs: number): Promise<void> {
  const folder = requestsDir(home);
  const launcher = readPid(path.join(runDir(home), 'launcher.pid'));
  if (!launcher || !isAlive(launcher) || !fs.existsSync(folder)) {
    throw new StackError(`No stack runs in ${home}: start one with npm start.`);
  }
  const request = path.join(folder, name);
  fs.rmSync(errorFile(request), { force: true });
  fs.writeFileSync(request, '');
  for (const until = Date.now() + timeoutMs; fs.existsSync(request); await sleep(20)) {
    if (Date.now() > until) throw new StackError(`The stack in ${home} did not restart ${name} within ${timeoutMs / 1000} s.`);
  }
  if (fs.existsSync(errorFile(request))) throw new StackError(fs.readFileSync(errorFile(request), 'utf8'));
}
