'use strict';

const { StackError } = require('../errors');
const { addressOf, natsAnswers, postgresAnswers, redisAnswers, statusOf } = require('../checks');
const { obtain } = require('./obtain');
const { createPostgres } = require('./postgres');
const { createNats, natsOptions } = require('./nats');
const { createRedis, localRedisUrl } = require('./redis');
const { createLivekit } = require('./livekit');
const { createS3, s3Environment } = require('./s3');

const PART_NAMES = ['postgres', 'nats', 'redis', 'livekit', 's3'];

/** A part that runs elsewhere: asked whether it answers, never started or stopped. */
class ExternalPart {
  /** @param {string} name @param {string} setting the variable it came from @param {() => Promise<boolean>} check */
  constructor(name, setting, check) {
    Object.assign(this, { name, setting, check, isExternal: true, pid: undefined, logFile: undefined });
    this.exited = Promise.resolve({ code: null, signal: null });
  }

  async ready() {
    const { name, setting, check } = /** @type {any} */ (this);
    if (!(await check().catch(() => false))) throw new StackError(`The ${name} that ${setting} names does not answer: start it, or unset ${setting}.`);
  }

  async start() { await this.ready(); }
  async stop() { return this.exited; }
  async kill() { throw new StackError(`${/** @type {any} */ (this).name} runs elsewhere and is not ours to kill.`); }
  async restart() { throw new StackError(`${/** @type {any} */ (this).name} runs elsewhere and is not ours to restart.`); }
}

/**
 * What the options or the environment name as running elsewhere.
 * @param {any} options @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, any>} by part
 */
function externalParts(options, env) {
  const from = options.external === false ? {} : env;
  /** @type {Record<string, any>} */
  const found = {};
  const take = (/** @type {string} */ part, /** @type {string} */ setting, /** @type {(url: string) => Promise<boolean>} */ check) => {
    const url = options.externalUrls?.[part] ?? from[setting];
    if (url) found[part] = { url, handle: new ExternalPart(part, setting, () => check(url)) };
  };
  take('postgres', 'DATABASE_ADMIN_URL', (url) => {
    const { host, port } = addressOf(url, 5432);
    return postgresAnswers(host, port, decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres');
  });
  take('nats', 'NATS_URL', (url) => { const { host, port } = addressOf(url, 4222); return natsAnswers(host, port); });
  take('redis', 'REDIS_URL', (url) => {
    const { host, port } = addressOf(url, 6379);
    const { username, password } = new URL(url);
    return redisAnswers(host, port, decodeURIComponent(password), decodeURIComponent(username));
  });
  const livekit = options.livekitUrl
    ? { url: options.livekitUrl, key: options.livekitApiKey, secret: options.livekitApiSecret }
    : { url: from.LIVEKIT_URL, key: from.LIVEKIT_API_KEY, secret: from.LIVEKIT_API_SECRET };
  if (livekit.url && options.livekit !== false && !(livekit.key && livekit.secret)) {
    throw new StackError('LIVEKIT_URL is set without LIVEKIT_API_KEY and LIVEKIT_API_SECRET: set all three, or none.');
  }
  if (livekit.url) {
    const http = livekit.url.replace(/^ws/, 'http');
    found.livekit = {
      ...livekit, url: http, publicUrl: from.LIVEKIT_PUBLIC_URL ?? http.replace(/^http/, 'ws'),
      handle: new ExternalPart('livekit', 'LIVEKIT_URL', async () => (await statusOf(http)) !== 0),
    };
  }
  const s3 = { url: from.S3_ENDPOINT, bucket: from.S3_BUCKET, key: from.S3_ACCESS_KEY_ID, secret: from.S3_SECRET_ACCESS_KEY };
  if (s3.url && !(s3.bucket && s3.key && s3.secret)) {
    throw new StackError('S3_ENDPOINT is set without S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set all four, or none.');
  }
  if (s3.url) {
    const { url } = s3;
    found.s3 = {
      ...s3, publicUrl: from.S3_PUBLIC_URL ?? url, region: from.S3_REGION,
      handle: new ExternalPart('storage', 'S3_ENDPOINT', async () => (await statusOf(url)) !== 0),
    };
  }
  return found;
}

module.exports = { PART_NAMES, externalParts, obtain, createPostgres, createNats, natsOptions, createRedis, localRedisUrl, createLivekit, createS3, s3Environment };
