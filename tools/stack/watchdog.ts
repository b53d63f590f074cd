import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { endOrphans } from './pidfile.ts';

export interface Watchdog {
  /** Ends the watchdog after a graceful stop. */
  dismiss: () => Promise<void>;
}

/**
 * Starts a shell that waits on a pipe from this process. The kernel closes the pipe however this process ends, even by kill -9. The shell then runs
 * this file in Node, which ends the processes that we started. A shell takes 1 MB per stack; a waiting Node process would take 40.
 * @param owner as returned by pidfile.ownerId()
 */
export function startWatchdog(home: string, owner: string): Watchdog {
  const script = 'trap "" INT HUP TERM; read -r word && exit 0; exec "$0" "$1" "$2" "$3"';
  const child = spawn('/bin/sh', ['-c', script, process.execPath, import.meta.filename, home, owner], {
    // No output: the watchdog must not keep a terminal or a pipe open that another process reads to its end.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
    cwd: '/',
  });
  child.unref();
  child.stdin.on('error', () => {});
  (child.stdin as Socket).unref();
  const gone = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  return {
    dismiss: async () => {
      const keepAlive = setInterval(() => {}, 1000);
      child.stdin.end('done\n');
      await gone;
      clearInterval(keepAlive);
    },
  };
}

if (import.meta.main) {
  const [home = '', owner] = process.argv.slice(2);
  void endOrphans(home, { owner });
}
