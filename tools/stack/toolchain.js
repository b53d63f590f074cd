'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { REPO } = require('./paths');
const { run } = require('./run');
const { withLock } = require('./lock');
const { StackError } = require('./errors');
const { compare } = require('./version');
const versions = require('./versions.json');

const TOOLCHAIN = path.join(REPO, '.toolchain');
/** Under node_modules, so that who deletes that folder gets a fresh install. */
const STAMP = path.join(REPO, 'node_modules', '.classroom-stamp');
const PNPM = path.join(TOOLCHAIN, 'node_modules', '.bin', 'pnpm');

/** Node 24 from the root manifest's package; before the first install there is only the caller's. */
function nodeBinary() {
  const file = path.join(REPO, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return fs.existsSync(file) ? file : process.execPath;
}

/** The caller's environment for tools: without what npm told its own script, with our node and pnpm first. @returns {NodeJS.ProcessEnv} */
function toolEnvironment() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^INIT_CWD$/.test(name)));
  const first = [path.dirname(nodeBinary()), path.dirname(PNPM)].join(path.delimiter);
  return { ...env, PATH: `${first}${path.delimiter}${process.env.PATH}`, NX_DAEMON: 'false', NX_TUI: 'false', CI: 'true' };
}

function checkNode() {
  const { min } = versions.node;
  if (compare(process.versions.node, min) < 0) {
    throw new StackError(`Node ${process.versions.node} is too old to start with: install Node ${min.split('.')[0]} or newer.`);
  }
}

/** What an install must match: the lock file, the tools that read it, the platform it chose packages for. */
function installStamp() {
  const hash = createHash('sha256');
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(fs.readFileSync(path.join(REPO, name)));
  return hash.update(`${versions.pnpm} ${process.platform}-${process.arch}`).digest('hex');
}

function isInstalled() {
  try {
    return fs.readFileSync(STAMP, 'utf8') === installStamp() && nodeBinary() !== process.execPath;
  } catch {
    return false;
  }
}

/** pnpm, then the packages; nothing when the last install was for the same lock file. @param {{ home: string, signal?: AbortSignal }} options @returns {Promise<string>} what was done */
async function install({ home, signal }) {
  if (isInstalled()) return 'unchanged';
  return withLock(path.join(TOOLCHAIN, 'install.lock'), async () => {
    if (isInstalled()) return 'unchanged';
    const options = { cwd: REPO, env: toolEnvironment(), home, logFile: path.join(home, 'logs', 'install.log'), signal };
    if (!hasPnpm()) {
      await run('npm', ['install', '--prefix', TOOLCHAIN, '--no-save', '--no-audit', '--no-fund', `pnpm@${versions.pnpm}`], { ...options, what: 'npm install pnpm' });
    }
    await run(PNPM, ['install', '--frozen-lockfile'], { ...options, what: 'pnpm install' });
    if (nodeBinary() === process.execPath) {
      throw new StackError(`There is no Node 24 package for ${process.platform}-${process.arch}: use Linux (x64, arm64) or macOS (arm64).`);
    }
    fs.writeFileSync(STAMP, installStamp());
    return `pnpm ${versions.pnpm}`;
  }, signal);
}

function hasPnpm() {
  try {
    const manifest = path.join(TOOLCHAIN, 'node_modules', 'pnpm', 'package.json');
    return fs.existsSync(PNPM) && JSON.parse(fs.readFileSync(manifest, 'utf8')).version === versions.pnpm;
  } catch {
    return false;
  }
}

/** All projects that can be built, by Nx, which skips what didn't change. @param {{ home: string, signal?: AbortSignal }} options */
async function build({ home, signal }) {
  await withLock(path.join(TOOLCHAIN, 'build.lock'), () => run(
    path.join(REPO, 'node_modules', '.bin', 'nx'), ['run-many', '-t', 'build', '--output-style=stream'],
    { cwd: REPO, env: { ...toolEnvironment(), NO_COLOR: '1' }, home, logFile: path.join(home, 'logs', 'build.log'), what: 'The build', signal },
  ), signal);
}

module.exports = { nodeBinary, toolEnvironment, checkNode, isInstalled, install, build, PNPM };
