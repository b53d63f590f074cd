'use strict';

/*
 * The only file that runs on the caller's Node, whatever its version. Everything else is TypeScript, which our own Node runs directly.
 *   node tools/bootstrap.cjs <file.ts> [arguments]   runs the file
 *   node tools/bootstrap.cjs --toolchain             only installs pnpm and Node into .toolchain
 */
const fs = require('fs');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const versions = require('./stack/versions.json');
const { optionalDependencies } = require('../package.json');

const REPO = path.join(__dirname, '..');
const TOOLCHAIN = path.join(REPO, '.toolchain');
const NODE = `node-${process.platform}-${process.arch}`;
/** The same value as in stack/supervisor.ts. */
const SAME_SIGNAL_MS = 400;

/** An error that the caller can fix: its message says what to do, and is printed without a stack trace. */
class Refusal extends Error {}

/** Whether the folder is the staging folder of a process that no longer runs. */
function isOrphan(name) {
  const pid = Number((/^tmp-(\d+)$/.exec(name) || [])[1]);
  try {
    return pid > 0 && !process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function hasPackage(name, version) {
  try {
    return JSON.parse(fs.readFileSync(path.join(TOOLCHAIN, 'node_modules', name, 'package.json'), 'utf8')).version === version;
  } catch {
    return false;
  }
}

/** Installs the pinned pnpm and Node, unless both are there. The TypeScript tools obtain everything else during the package installation. */
function getToolchain() {
  const version = optionalDependencies[NODE];
  if (!version)
    throw new Refusal(`There is no Node 24 package for ${process.platform}-${process.arch}: use Linux (x64, arm64) or macOS (arm64).`);
  const isThere = () => hasPackage('pnpm', versions.pnpm) && hasPackage(NODE, version);
  if (isThere()) return;
  const staging = path.join(TOOLCHAIN, `tmp-${process.pid}`);
  fs.mkdirSync(staging, { recursive: true });
  for (const name of fs.readdirSync(TOOLCHAIN)) if (isOrphan(name)) fs.rmSync(path.join(TOOLCHAIN, name), { recursive: true, force: true });
  process.stderr.write('Getting pnpm and Node 24 …\n');
  const packages = [`pnpm@${versions.pnpm}`, `${NODE}@${version}`];
  // npm's own output is shown only if npm fails.
  const { status, error, stdout, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', staging, '--no-save', '--no-audit', '--no-fund'].concat(packages),
    { encoding: 'utf8' },
  );
  try {
    if (error) throw new Refusal('npm is not installed: install Node 20 or newer with npm.');
    if (status !== 0) throw new Refusal(`${stdout}${stderr}npm could not get ${packages.join(' and ')}: see above.`);
    // Moved in one step, so that a concurrent start sees all of it or nothing. If another start finished first, its result is kept.
    if (isThere()) return;
    fs.rmSync(path.join(TOOLCHAIN, 'node_modules'), { recursive: true, force: true });
    fs.renameSync(path.join(staging, 'node_modules'), path.join(TOOLCHAIN, 'node_modules'));
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** The Node of the packages, or of the toolchain, or the caller's own if it is not older than ours. */
function findNode() {
  const installed = [REPO, TOOLCHAIN]
    .map((folder) => path.join(folder, 'node_modules', NODE, 'bin', 'node'))
    .find((file) => fs.existsSync(file));
  if (installed) return installed;
  const [ours, callers] = [optionalDependencies[NODE] || '', process.versions.node].map((it) => it.split('.').map(Number));
  const first = [0, 1, 2].find((at) => ours[at] !== callers[at]);
  return first === undefined || callers[first] > ours[first] ? process.execPath : undefined;
}

/** Runs node in place of this process: same arguments, streams and process group, and the same exit code or signal. */
function run(node, args) {
  const child = spawn(node, args, { stdio: 'inherit', env: Object.assign({}, process.env, { BOOTSTRAP_PID: String(process.pid) }) });
  child.once('error', (error) => end(new Refusal(`${node} can't be run: ${error.message}.`)));
  // A signal arrives from its sender and a second time through npm. Signals within SAME_SIGNAL_MS count as one, and are forwarded once.
  let passedOn = 0;
  const forward = (signal) => {
    if (Date.now() - passedOn > SAME_SIGNAL_MS) child.kill(signal);
    passedOn = Date.now();
  };
  // Ctrl-C and a closed terminal signal the whole process group. Without a terminal only this process gets the signal and must forward it.
  const fromTerminal = [0, 1, 2].some((stream) => require('tty').isatty(stream)) ? () => {} : forward;
  const handlers = { SIGINT: fromTerminal, SIGHUP: fromTerminal, SIGTERM: forward };
  for (const signal of Object.keys(handlers)) process.on(signal, handlers[signal]);
  // npm ends the shell between itself and this process without a signal to us. A change of the parent process shows it.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      forward('SIGTERM');
    }, 200);
    timer.unref();
  }
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** @param {Error} error after which nothing can be run */
function end(error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}

const oldest = versions.node.min.split('.')[0];
const args = process.argv.slice(2);
try {
  if (Number(process.versions.node.split('.')[0]) < Number(oldest)) {
    throw new Refusal(`Node ${process.versions.node} is too old to start with: install Node ${oldest} or newer.`);
  }
  if (args[0] === '--toolchain' || !findNode()) getToolchain();
  if (args[0] !== '--toolchain') run(findNode(), args);
} catch (error) {
  end(error);
}
