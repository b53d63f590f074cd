'use strict';

const path = require('node:path');
const { spawn } = require('node:child_process');
const { endLeftOvers } = require('./pidfile');

/**
 * A shell that waits on a pipe from us. The kernel closes the pipe however we end (kill -9 too); the shell then becomes
 * a node that ends what we started. One shell per stack costs 1 MB where a waiting node would cost 40.
 * @param {string} home @param {string} owner as pidfile.ownerId() says
 * @returns {{ dismiss: () => Promise<void> }} `dismiss` after an orderly stop
 */
function startWatchdog(home, owner) {
  const script = 'trap "" INT HUP TERM; read -r word && exit 0; exec "$0" "$1" "$2" "$3"';
  const child = spawn('/bin/sh', ['-c', script, process.execPath, path.resolve(__filename), home, owner], {
    // No output: it must not hold on to a terminal or to a pipe that someone reads to its end.
    detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: { PATH: process.env.PATH }, cwd: '/',
  });
  child.unref();
  child.stdin.on('error', () => {});
  /** @type {any} */ (child.stdin).unref?.();
  const gone = new Promise((resolve) => { child.once('exit', resolve); child.once('error', resolve); });
  return {
    dismiss: async () => {
      const keepAlive = setInterval(() => {}, 1000);
      child.stdin.end('done\n');
      await gone;
      clearInterval(keepAlive);
    },
  };
}

if (require.main === module) {
  const [home, owner] = process.argv.slice(2);
  void endLeftOvers(home, { owner });
}

module.exports = { startWatchdog };
