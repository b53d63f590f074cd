'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createHash } = require('node:crypto');

const REPO = path.resolve(__dirname, '..', '..');

/** @param {NodeJS.ProcessEnv} [env] Where a stack keeps its data, logs and secrets. */
function stackHome(env = process.env) {
  return path.resolve(env.STACK_HOME || path.join(REPO, '.stack'));
}

/** @param {NodeJS.ProcessEnv} [env] Where obtained parts are kept, by part and version, for every clone of this user. */
function stackCache(env = process.env) {
  return path.resolve(env.STACK_CACHE || path.join(env.HOME || os.homedir(), '.cache', 'virtual-classroom'));
}

/** Outside every home, because Postgres refuses to run as root and an unprivileged user can't enter /root. */
const SHARED_ROOT = process.platform === 'darwin' ? '/usr/local/var/virtual-classroom' : '/var/lib/virtual-classroom';

/** @param {string} home */
function homeHash(home) {
  return createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 12);
}

/** Where Postgres's files of this home go when its user can't enter the home itself. @param {string} home */
function outsideHome(home) {
  return path.join(SHARED_ROOT, homeHash(home));
}

/** May a user who owns nothing here walk into `dir`? Missing folders count as enterable (we make them so). @param {string} dir */
function anyoneCanEnter(dir) {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    try {
      if ((fs.statSync(at).mode & 0o001) === 0) return false;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

function isRoot() {
  return typeof process.getuid === 'function' && process.getuid() === 0;
}

/**
 * The user Postgres runs as when we are root: its own where Debian made one, else nobody.
 * @returns {{ uid: number, gid: number } | undefined} nothing when we aren't root
 */
function unprivilegedUser() {
  if (!isRoot()) return undefined;
  const rows = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  const row = rows.find((r) => r[0] === 'postgres') ?? rows.find((r) => r[0] === 'nobody');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65534, gid: 65534 };
}

/**
 * Puts a folder in place in one step, so that nobody ever sees half of it; who comes second keeps the first one's.
 * @param {string} target @param {(temporary: string) => void | Promise<void>} fill
 */
async function placeAtomically(target, fill) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const temporary = `${target}.tmp-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  try {
    fs.mkdirSync(temporary);
    await fill(temporary);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(temporary, target);
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Readable by this user alone, also where an earlier version left it otherwise. @param {string} file @param {string} text */
function writePrivate(file, text) {
  fs.writeFileSync(file, '', { mode: 0o600 });
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, text);
}

module.exports = {
  REPO, SHARED_ROOT, stackHome, stackCache, homeHash, outsideHome, anyoneCanEnter, isRoot, unprivilegedUser, placeAtomically, writePrivate,
};
