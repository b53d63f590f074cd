import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { codeOf } from './errors.ts';

export const REPO = path.resolve(import.meta.dirname, '..', '..');

/** The folder in which a stack keeps its data, logs and secrets. @param env may set STACK_HOME */
export function stackHome(env: NodeJS.ProcessEnv = process.env) {
  return path.resolve(env.STACK_HOME || path.join(REPO, '.stack'));
}

/** The folder of obtained parts, by part and version, shared by all clones of this user. @param env may set STACK_CACHE */
export function stackCache(env: NodeJS.ProcessEnv = process.env) {
  return path.resolve(env.STACK_CACHE || path.join(env.HOME || os.homedir(), '.cache', 'virtual-classroom'));
}

/** A folder outside of all homes: Postgres refuses to run as root, and an unprivileged user can't enter /root. */
export const SHARED_ROOT = process.platform === 'darwin' ? '/usr/local/var/virtual-classroom' : '/var/lib/virtual-classroom';

export function homeHash(home: string) {
  return createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 12);
}

/** The folder for Postgres's files of this home, if Postgres's user can't enter the home itself. */
export function outsideHome(home: string) {
  return path.join(SHARED_ROOT, homeHash(home));
}

/** Whether a user without any ownership can enter `dir`. Missing folders count as enterable, because we create them that way. */
export function anyoneCanEnter(dir: string) {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    try {
      if ((fs.statSync(at).mode & 0o001) === 0) return false;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

export function isRoot() {
  return typeof process.getuid === 'function' && process.getuid() === 0;
}

export interface User {
  uid: number;
  gid: number;
}

/**
 * The user that runs Postgres if this process is root: `postgres` if Debian created it, otherwise the standard unprivileged user.
 * @returns undefined if this process is not root
 */
export function unprivilegedUser(): User | undefined {
  if (!isRoot()) return undefined;
  const rows = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find((r) => r[0] === 'postgres') ?? rows.find((r) => r[0] === 'nobody');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65534, gid: 65534 };
}

/** Creates a folder in one step, so that no other process sees part of it. If another process finished first, its folder is kept. */
export async function placeAtomically(target: string, fill: (temporary: string) => void | Promise<void>) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const temporary = `${target}.tmp-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  try {
    fs.mkdirSync(temporary);
    await fill(temporary);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(temporary, target);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Writes a file that only this user can read, even if an earlier version left it readable for others. */
export function writePrivate(file: string, text: string) {
  fs.writeFileSync(file, '', { mode: 0o600 });
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, text);
}
