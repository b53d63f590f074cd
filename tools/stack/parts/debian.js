'use strict';

const path = require('node:path');
const { run, ask } = require('../run');
const { withLock } = require('../lock');
const { isRoot } = require('../paths');

/** Whether Debian's packages can be installed on this machine. */
async function canInstall() {
  return isRoot() && (await ask('apt-get', ['--version'], {})) !== undefined;
}

/**
 * For one program at a time, for dpkg serves only one.
 * @param {string} name of the program @param {string[]} packages @param {{ home: string, cache: string, signal?: AbortSignal }} where
 */
async function installPackages(name, packages, { home, cache, signal }) {
  await withLock(path.join(cache, 'apt.lock'), async () => {
    const options = { home, signal, logFile: path.join(home, 'logs', `${name}-apt.log`), env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    const apt = (/** @type {string[]} */ ...args) => run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { ...options, what: `apt-get ${args[0]} ${name}` });
    const install = () => apt('install', '-y', '--no-install-recommends', ...packages);
    try {
      await install();
    } catch (error) {
      if (signal?.aborted) throw error;
      // No package lists yet (a bare container) or outdated ones.
      await apt('update');
      await install();
    }
  }, signal);
}

module.exports = { canInstall, installPackages };
