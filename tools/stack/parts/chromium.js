'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { run, ask } = require('../run');
const { isRoot } = require('../paths');
const { StackError } = require('../errors');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** @param {NodeJS.ProcessEnv} [env] @returns {string | undefined} */
function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}

/**
 * The browser that the tests of the page drive: CHROMIUM_PATH, one on the PATH, or Debian's package. A browser leans on too
 * many files of the system to be unpacked beside it, so without root it has to be there.
 * @param {{ home: string, signal?: AbortSignal }} options @returns {Promise<string>} its path
 */
async function obtainChromium({ home, signal }) {
  const found = findChromium();
  if (found) return found;
  if (!isRoot() || !(await ask('apt-get', ['--version'], {}))) {
    throw new StackError('Chromium is not installed and the tests of the page need it: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  }
  const options = {
    home,
    signal,
    logFile: path.join(home, 'logs', 'chromium-apt.log'),
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  await run('apt-get', ['update', '-qq'], { ...options, what: 'apt-get update' });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { ...options, what: 'apt-get install chromium' });
  const installed = findChromium();
  if (!installed) throw new StackError(`Chromium was installed and is not on the PATH; see ${options.logFile}.`);
  return installed;
}

module.exports = { findChromium, obtainChromium };
