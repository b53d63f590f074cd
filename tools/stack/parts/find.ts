import fs from 'node:fs';
import path from 'node:path';
import { ask } from '../run.ts';
import { parse, compare, isWithin } from '../version.ts';
import { anyoneCanEnter, isRoot } from '../paths.ts';
import type { Command } from '../process.ts';
import type { Layout } from './install.ts';
import versions from '../versions.json' with { type: 'json' };

export const PINS = versions.parts;
export type PartName = keyof typeof PINS;
const ONLY_FOR_TESTS: PartName[] = ['pgbouncer', 'clickhouse'];
/** The parts of a stack whose options name none. */
export const PART_NAMES = (Object.keys(PINS) as PartName[]).filter((name) => !ONLY_FOR_TESTS.includes(name));

/** The programs of a part, ready to run. */
export interface Tools {
  /** `PATH`, `cache`, `npm`, `go`, `apt`, `pip` or `docker` */
  how: string;
  version: string;
  /** its folder, or the Docker image */
  where: string;
  tool: (name: string) => Command;
  /** set only with docker */
  image?: string;
}

export const PARTS: Record<PartName, { title: string; binary: string; needs: string[]; alsoIn: string[] }> = {
  postgres: {
    title: 'Postgres 18',
    binary: 'postgres',
    needs: ['initdb'],
    // Debian does not put its servers on the PATH.
    alsoIn: ['/usr/lib/postgresql/18/bin', '/opt/homebrew/opt/postgresql@18/bin'],
  },
  nats: { title: 'NATS 2.12 or newer', binary: 'nats-server', needs: [], alsoIn: [] },
  // Debian puts it into a folder that is not on every user's PATH.
  pgbouncer: { title: 'PgBouncer 1.21 or newer', binary: 'pgbouncer', needs: [], alsoIn: ['/usr/sbin'] },
  clickhouse: { title: 'ClickHouse 26.7 or newer', binary: 'clickhouse', needs: [], alsoIn: [] },
  redis: { title: 'Redis 6.2 or newer', binary: 'redis-server', needs: [], alsoIn: [] },
  livekit: { title: 'LiveKit 1.13', binary: 'livekit-server', needs: [], alsoIn: [] },
  s3: { title: 'versitygw 1.8', binary: 'versitygw', needs: [], alsoIn: [] },
};

/** A library of 600 MB takes some seconds to load on a busy machine. */
const VERSION_TIMEOUT_MS = 60_000;

/** The version that a program prints. A file name can be wrong. */
export async function versionOf({ file, args, env }: Command) {
  const text = await ask(file, [...args, '--version'], { env: { ...process.env, ...env }, timeoutMs: VERSION_TIMEOUT_MS });
  return text === undefined ? undefined : parse(text)?.join('.');
}

export async function findOnPath(part: PartName, env: NodeJS.ProcessEnv): Promise<Tools | undefined> {
  const { binary, needs, alsoIn } = PARTS[part];
  for (const folder of [...(env.PATH ?? '').split(path.delimiter), ...alsoIn].filter(Boolean)) {
    let file;
    try {
      file = path.join(folder, binary);
      fs.accessSync(file, fs.constants.X_OK);
      // /usr/local/bin/postgres is often a link into the folder that also contains initdb.
      if (needs.length > 0) file = fs.realpathSync(file);
    } catch {
      continue;
    }
    const where = path.dirname(file);
    if (!needs.every((name) => fs.existsSync(path.join(where, name)))) continue;
    if (part === 'postgres' && isRoot() && !anyoneCanEnter(where)) continue;
    const tool = (name: string): Command => ({ file: path.join(where, name), args: [], env: {} });
    const version = await versionOf(tool(path.basename(file)));
    if (version && isWithin(version, PINS[part])) {
      return { how: 'PATH', version, where, tool };
    }
  }
  return undefined;
}

/**
 * Opens a folder that obtain.ts created. Its `part.json` says where the programs are.
 * @returns undefined if the programs don't run here
 */
export async function openFolder(part: PartName, folder: string): Promise<Tools | undefined> {
  try {
    const layout = JSON.parse(fs.readFileSync(path.join(folder, 'part.json'), 'utf8')) as Layout & { how: string };
    const { how, bin, libraryPath = [], loader } = layout;
    const libraries = libraryPath.map((it) => path.join(folder, it)).join(':');
    const tool = (name: string): Command => {
      const file = path.join(folder, bin, name);
      if (loader) return { file: path.join(folder, loader), args: ['--library-path', libraries, file], env: {} };
      return { file, args: [], env: libraries ? { LD_LIBRARY_PATH: libraries } : {} };
    };
    const version = await versionOf(tool(PARTS[part].binary));
    return version && isWithin(version, PINS[part]) ? { how, version, where: folder, tool } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns the pinned version if it is there, otherwise the newest that fits */
export async function findInCache(part: PartName, cache: string): Promise<Tools | undefined> {
  const folder = path.join(cache, part);
  if (!fs.existsSync(folder)) return undefined;
  const pin = PINS[part];
  const pinned = 'version' in pin ? pin.version : undefined;
  const versions = fs
    .readdirSync(folder)
    .filter((name) => !name.includes('.tmp-') && isWithin(name, PINS[part]))
    .sort((a, b) => Number(b === pinned) - Number(a === pinned) || compare(b, a));
  for (const version of versions) {
    const tools = await openFolder(part, path.join(folder, version));
    if (tools) return { ...tools, how: `cache (${tools.how})` };
  }
  return undefined;
}
