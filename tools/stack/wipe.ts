import fs from 'node:fs';
import path from 'node:path';
import { StackError } from './errors.ts';
import { tryLock } from './lock.ts';
import { endOrphans, runDir } from './pidfile.ts';
import { outsideHome } from './paths.ts';

/** Everything that a stack creates in its home. Other files are kept, because the home may be a folder that contains more. */
const STACK_FILES = [
  'postgres',
  'postgres.new',
  'pgbouncer',
  'clickhouse',
  'nats',
  'redis',
  'livekit',
  's3',
  'recorder',
  'media',
  'logs',
  'traces',
  'secrets.json',
  'run',
];

/**
 * Deletes data, secrets and logs of the home, inside and outside of it.
 * @throws {StackError} if a stack is running there
 */
export async function wipeHome(home: string) {
  if (fs.existsSync(home)) {
    const lock = tryLock(path.join(runDir(home), 'launcher.pid'));
    if ('holder' in lock) throw new StackError(`A stack runs in ${home} (pid ${lock.holder}): stop it first, then reset.`);
    await endOrphans(home);
    for (const name of STACK_FILES) fs.rmSync(path.join(home, name), { recursive: true, force: true });
    if (fs.readdirSync(home).length === 0) fs.rmdirSync(home);
  }
  fs.rmSync(outsideHome(home), { recursive: true, force: true });
}
