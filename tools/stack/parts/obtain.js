'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { StackError } = require('../errors');
const { withLock } = require('../lock');
const { run } = require('../run');
const { PARTS, PINS, findOnPath, findInCache, openFolder } = require('./find');
const { WAYS } = require('./install');
const { dockerTools } = require('./docker');

/** What to do by hand, for the refusal. @type {Record<string, string>} */
const BY_HAND = {
  postgres: 'check that npm can download packages, install Postgres 18, or set DATABASE_ADMIN_URL to a running one',
  nats: 'install Go 1.21 or newer (or nats-server 2.12 or newer), or set NATS_URL to a running one',
  redis: 'install redis-server 6.2 or newer (Debian: apt-get install redis-server), or set REDIS_URL to a running one',
  livekit: 'install Go 1.21 or newer (or livekit-server 1.13), or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to a running one',
  s3: 'install Go 1.21 or newer (or versitygw 1.8 or newer), or set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a running storage',
};

/** @param {string} part @param {{ cache: string, env?: NodeJS.ProcessEnv }} where @returns {Promise<import('./find').Tools | undefined>} without getting anything */
async function find(part, { cache, env = process.env }) {
  return (await findOnPath(part, env)) ?? findInCache(part, cache);
}

/**
 * The part's programs: from the PATH or the cache, else got from a registry into the cache, else from Docker.
 * @param {string} part
 * @param {{ cache: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal, logDir?: string, home?: string }} options
 * @returns {Promise<import('./find').Tools>}
 * @throws {StackError} says what to install
 */
async function obtain(part, { cache, env = process.env, signal, home, logDir = path.join(cache, 'logs') }) {
  const there = await find(part, { cache, env });
  if (there) return there;
  fs.mkdirSync(path.join(cache, part), { recursive: true });
  // Two starts at once would otherwise both compile for two minutes.
  return withLock(path.join(cache, `${part}.lock`), async () => {
    const meanwhile = await findInCache(part, cache);
    if (meanwhile) return meanwhile;
    /** @type {string[]} */
    const refusals = [];
    for (const { how, get } of WAYS[part]) {
      try {
        return await fetchPart(part, how, get, { cache, env, signal, home, logFile: path.join(logDir, `${part}-${how}.log`) });
      } catch (error) {
        if (signal?.aborted) throw error;
        const { message, details } = /** @type {StackError} */ (error);
        refusals.push(`${how}: ${message.replace(/\.$/, '')}${details?.length ? ` (${details.at(-1)})` : ''}`);
      }
    }
    const docker = await dockerTools(part, PINS[part].image, env);
    if (docker) {
      // Here and not within the first run, which is expected to be ready in a minute.
      await run('docker', ['pull', '--quiet', PINS[part].image], { env, logFile: path.join(logDir, `${part}-docker.log`), home, what: `docker pull ${PINS[part].image}`, signal });
      return docker;
    }
    throw new StackError(`${PARTS[part].title} can't be had (${[...refusals, 'docker: no engine'].join('; ')}): ${BY_HAND[part]}.`);
  }, signal);
}

/**
 * @param {string} part @param {string} how @param {(part: string, into: import('./install').Into) => Promise<import('./install').Layout>} get
 * @param {{ cache: string, env: NodeJS.ProcessEnv, signal?: AbortSignal, home?: string, logFile: string }} options
 */
async function fetchPart(part, how, get, { cache, env, signal, home, logFile }) {
  // Got under a neutral name first: the version that counts is the one the program itself tells.
  const staging = path.join(cache, part, `.tmp-${process.pid}-${how}`);
  // The lock is ours, so whatever half part stands there is of somebody who was killed.
  for (const name of fs.readdirSync(path.join(cache, part))) {
    if (name.startsWith('.tmp-')) fs.rmSync(path.join(cache, part, name), { recursive: true, force: true });
  }
  fs.mkdirSync(staging, { recursive: true });
  try {
    const layout = await get(part, { folder: staging, logFile, home, env, signal });
    fs.writeFileSync(path.join(staging, 'part.json'), JSON.stringify({ how, ...layout }));
    const tools = await openFolder(part, staging);
    if (!tools) throw new StackError(`what came does not run here or has a version outside ${PINS[part].min} to ${PINS[part].below}`);
    const target = path.join(cache, part, tools.version);
    // What is in the way does not run.
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(staging, target);
    const placed = await openFolder(part, target);
    if (!placed) throw new StackError('it does not run from the cache');
    return placed;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

module.exports = { find, obtain };
