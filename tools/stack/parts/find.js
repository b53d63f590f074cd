'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { ask } = require('../run');
const { parse, compare, isWithin } = require('../version');
const { anyoneCanEnter, isRoot } = require('../paths');
/** @type {Record<string, any>} */
const PINS = require('../versions.json').parts;

/**
 * A part that can be run.
 * @typedef {object} Tools
 * @property {string} how `PATH`, `cache`, `npm`, `go`, `apt`, `pip` or `docker`
 * @property {string} version
 * @property {string} where its folder, or the image
 * @property {(name: string) => { file: string, args: string[], env: Record<string, string> }} tool
 * @property {string} [image] with docker
 */

/** @type {Record<string, { title: string, binary: string, needs: string[], alsoIn: string[] }>} */
const PARTS = {
  postgres: {
    title: 'Postgres 18', binary: 'postgres', needs: ['initdb'],
    // Debian keeps its servers off the PATH.
    alsoIn: ['/usr/lib/postgresql/18/bin', '/opt/homebrew/opt/postgresql@18/bin'],
  },
  nats: { title: 'NATS 2.12 or newer', binary: 'nats-server', needs: [], alsoIn: [] },
  redis: { title: 'Redis 6.2 or newer', binary: 'redis-server', needs: [], alsoIn: [] },
  livekit: { title: 'LiveKit 1.13', binary: 'livekit-server', needs: [], alsoIn: [] },
  s3: { title: 'versitygw 1.8', binary: 'versitygw', needs: [], alsoIn: [] },
};

/** What a program says of its version, by running it: a file's name promises nothing. @param {string} file @param {Record<string, string>} [env] */
async function versionOf(file, env = {}) {
  const text = await ask(file, ['--version'], { env: { ...process.env, ...env } });
  return text === undefined ? undefined : parse(text)?.join('.');
}

/** @param {string} part @param {NodeJS.ProcessEnv} env @returns {Promise<Tools | undefined>} */
async function findOnPath(part, env) {
  const { binary, needs, alsoIn } = PARTS[part];
  for (const folder of [...(env.PATH ?? '').split(path.delimiter), ...alsoIn].filter(Boolean)) {
    let file;
    try {
      file = path.join(folder, binary);
      fs.accessSync(file, fs.constants.X_OK);
      // /usr/local/bin/postgres is often a link into a folder that has initdb beside it.
      if (needs.length > 0) file = fs.realpathSync(file);
    } catch { continue; }
    const where = path.dirname(file);
    if (!needs.every((name) => fs.existsSync(path.join(where, name)))) continue;
    if (part === 'postgres' && isRoot() && !anyoneCanEnter(where)) continue;
    const version = await versionOf(file);
    if (version && isWithin(version, PINS[part])) {
      return { how: 'PATH', version, where, tool: (name) => ({ file: path.join(where, name), args: [], env: {} }) };
    }
  }
  return undefined;
}

/**
 * A folder made by obtain.js: `part.json` says where its programs are.
 * @param {string} part @param {string} folder @returns {Promise<Tools | undefined>} nothing when it doesn't run here
 */
async function openFolder(part, folder) {
  try {
    const { how, bin, libraryPath } = JSON.parse(fs.readFileSync(path.join(folder, 'part.json'), 'utf8'));
    const env = libraryPath ? { LD_LIBRARY_PATH: libraryPath.map((/** @type {string} */ it) => path.join(folder, it)).join(':') } : {};
    const tool = (/** @type {string} */ name) => ({ file: path.join(folder, bin, name), args: [], env });
    const version = await versionOf(tool(PARTS[part].binary).file, env);
    return version && isWithin(version, PINS[part]) ? { how, version, where: folder, tool } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} part @param {string} cache @returns {Promise<Tools | undefined>} the pinned version first, then the newest that fits */
async function findInCache(part, cache) {
  const folder = path.join(cache, part);
  if (!fs.existsSync(folder)) return undefined;
  const pinned = PINS[part].version;
  const versions = fs.readdirSync(folder).filter((name) => !name.includes('.tmp-') && isWithin(name, PINS[part]))
    .sort((a, b) => Number(b === pinned) - Number(a === pinned) || compare(b, a));
  for (const version of versions) {
    const tools = await openFolder(part, path.join(folder, version));
    if (tools) return { ...tools, how: `cache (${tools.how})` };
  }
  return undefined;
}

module.exports = { PARTS, PINS, versionOf, findOnPath, openFolder, findInCache };
