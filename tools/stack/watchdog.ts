import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { endLeftOvers } from './pidfile.ts';

export interface Watchdog {
  /** After an orderly stop. */
  dismiss: () => Promise<void>;
}

/**
 * A shell that waits on a pipe from us. The kernel closes the pipe however we end (kill -9 too); the shell then becomes
 * a node that ends what we started. One shell per stack costs 1 MB where a waiting node would cost 40.
 * @param owner as pidfile.ownerId() says
 */
export function startWatchdog(home: string, owner: string): Watchdog {
  const script = 'trap "" INT HUP TERM; read -r word && exit 0; exec "$0" "$1" "$2" "$3"';
  const child = spawn('/bin/sh', ['-c', script, process.execPath, import.meta.filename, home, owner], {
    // No output: it must not hold on to a terminal or to a pipe that someone reads to its end.
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
  void endLeftOvers(home, { owner });
}
