import fs from 'node:fs';
import path from 'node:path';
import { StackError } from './errors.ts';
import { tryLock } from './lock.ts';
import { endLeftOvers, runDir } from './pidfile.ts';
import { outsideHome } from './paths.ts';

/** What a stack makes in its home; a home that is somebody's folder must not lose anything else. */
const OURS = ['postgres', 'postgres.new', 'nats', 'redis', 'livekit', 's3', 'recorder', 'media', 'logs', 'traces', 'secrets.json', 'run'];

/**
 * Deletes the home's data, secrets and logs, in the home and outside it.
 * @throws {StackError} while a stack runs there
 */
export async function wipeHome(home: string) {
  if (fs.existsSync(home)) {
    const lock = tryLock(path.join(runDir(home), 'launcher.pid'));
    if ('holder' in lock) throw new StackError(`A stack runs in ${home} (pid ${lock.holder}): stop it first, then reset.`);
    await endLeftOvers(home);
    for (const name of OURS) fs.rmSync(path.join(home, name), { recursive: true, force: true });
    if (fs.readdirSync(home).length === 0) fs.rmdirSync(home);
  }
  fs.rmSync(outsideHome(home), { recursive: true, force: true });
}
