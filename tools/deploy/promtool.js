'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { StackError } = require('../stack/errors');
const { withLock } = require('../stack/lock');
const { placeAtomically, stackCache } = require('../stack/paths');
const { ask, run } = require('../stack/run');
const { isWithin, parse } = require('../stack/version');
const { promtool: PIN } = require('./pins.json');

/** @param {string} file @param {NodeJS.ProcessEnv} env whether this promtool runs and is of a version that is known to do */
async function isUsable(file, env) {
  const version = parse((await ask(file, ['--version'], { env })) ?? '');
  return version !== undefined && isWithin(version.join('.'), PIN);
}

/**
 * The one program out of Debian's package of Prometheus: nothing is installed, so no server ever starts.
 * @param {string} folder @param {{ env: NodeJS.ProcessEnv, logFile: string }} options
 */
async function unpack(folder, { env, logFile }) {
  const state = path.join(folder, 'apt');
  for (const name of ['lists/partial', 'cache']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const options = ['-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-o', `Dir::Cache=${path.join(state, 'cache')}`];
  const privately = [...options, '-o', `Dir::State=${state}`, '-o', 'Dir::State::status=/var/lib/dpkg/status'];
  const apt = (/** @type {string[]} */ ...args) => run('apt-get', args, { env, cwd: folder, logFile, what: `apt-get ${args.at(-1)}` });
  try {
    await apt(...options, 'download', PIN.apt);
  } catch {
    // No package lists yet (a bare container) or outdated ones.
    await apt(...privately, 'update');
    await apt(...privately, 'download', PIN.apt);
  }
  const deb = fs.readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (!deb) throw new StackError(`apt-get brought no package ${PIN.apt}.`);
  await run('dpkg-deb', ['-x', deb, 'package'], { env, cwd: folder, logFile, what: 'dpkg-deb' });
  fs.renameSync(path.join(folder, 'package', 'usr', 'bin', 'promtool'), path.join(folder, 'promtool'));
  for (const name of ['apt', 'package', deb]) fs.rmSync(path.join(folder, name), { recursive: true });
}

/**
 * promtool from the PATH or the cache, else out of Debian's package into the cache.
 * @param {{ cache?: string, env?: NodeJS.ProcessEnv }} [where] @returns {Promise<string>} its path
 * @throws {StackError} says what to install
 */
async function obtainPromtool({ cache = stackCache(), env = process.env } = {}) {
  if (await isUsable('promtool', env)) return 'promtool';
  const folder = path.join(cache, 'promtool');
  const file = path.join(folder, 'promtool');
  return withLock(path.join(cache, 'promtool.lock'), async () => {
    if (await isUsable(file, env)) return file;
    if (!(await ask('apt-get', ['--version'], { env }))) throw new StackError('promtool is not installed and there is no apt-get to get it: install promtool 2.42 or newer.');
    await placeAtomically(folder, (staging) => unpack(staging, { env, logFile: path.join(cache, 'logs', 'promtool-apt.log') }));
    if (!(await isUsable(file, env))) throw new StackError(`promtool was unpacked into ${folder} and does not run.`);
    return file;
  });
}

module.exports = { obtainPromtool };
