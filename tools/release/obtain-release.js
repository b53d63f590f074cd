'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { StackError } = require('../stack/errors');
const { withLock } = require('../stack/lock');
const { REPO, stackCache } = require('../stack/paths');
const { ask, run } = require('../stack/run');
const { nodeBinary, toolEnvironment } = require('../stack/toolchain');

/** @returns {{ version: string, commit: string }} what is out, as release.json names it */
const lastRelease = () => JSON.parse(fs.readFileSync(path.join(REPO, 'release.json'), 'utf8'));

/**
 * The last release, built by its own tools from its commit. It is kept by commit, and those of earlier releases go.
 * @param {{ cache?: string, release?: { version: string, commit: string } }} [options]
 * @returns {Promise<string>} its folder
 * @throws {StackError} what to do where it can't be had
 */
async function obtainRelease({ cache = stackCache(), release = lastRelease() } = {}) {
  const { version, commit } = release;
  if (!(await ask('git', ['-C', REPO, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`]))) {
    throw new StackError(
      `release.json names ${version} at commit ${commit}, which this clone does not have: fetch it (git fetch --unshallow, or git fetch --tags), or name there the commit of the last release.`,
    );
  }
  const releases = path.join(cache, 'releases');
  const folder = path.join(releases, commit);
  const built = path.join(folder, '.built');
  await withLock(path.join(cache, 'releases.lock'), async () => {
    if (fs.existsSync(built)) return;
    fs.rmSync(releases, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    const logFile = path.join(cache, 'logs', 'release.log');
    await unpack(commit, folder, logFile);
    const build = "const { install, build } = require('./tools/stack/toolchain'); install({ home: '.stack' }).then(() => build({ home: '.stack' })).catch((error) => { console.error(error); process.exit(1); });";
    await run(nodeBinary(), ['-e', build], { cwd: folder, env: toolEnvironment(), logFile, what: `The build of ${version}` });
    fs.writeFileSync(built, version);
  });
  return folder;
}

/** Its files alone: a worktree would be left in this clone's list where a test is killed. @param {string} commit @param {string} folder @param {string} logFile */
async function unpack(commit, folder, logFile) {
  const archive = path.join(folder, 'archive.tar');
  await run('git', ['-C', REPO, 'archive', `--output=${archive}`, commit], { logFile, what: 'git archive' });
  await run('tar', ['-xf', archive, '-C', folder], { logFile, what: 'tar' });
  fs.rmSync(archive);
  // pnpm itself, where the release had the same: nothing needs to be fetched for it.
  const toolchain = path.join(REPO, '.toolchain');
  if (fs.existsSync(toolchain)) fs.cpSync(toolchain, path.join(folder, '.toolchain'), { recursive: true, filter: (file) => !file.endsWith('.lock') });
}

module.exports = { lastRelease, obtainRelease };
