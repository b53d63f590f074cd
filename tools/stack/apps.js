'use strict';

const { withDatabase, DB } = require('./parts/redis');

/**
 * The one list of apps. The order is only that of their probe ports: append, so that the others keep theirs.
 * - schema: has a Postgres role `classroom_<name>`, a `dist/migrate.js` and gets a DATABASE_URL
 * - livekit: gets LiveKit's address, key and secret
 * - queues: has jobs in Redis and gets a REDIS_URL
 * - env: what only this app gets, from the stack's facts
 * - socket: `npm start` holds the port for it
 * - programs: of programs.js, which it starts; where one can't be had the app stays off, and `otherwise` says what that means
 * - wants: programs without which it runs all the same, and does less
 * @typedef {object} Facts
 * @property {Record<string, any>} secrets
 * @property {Record<string, string>} urls where this machine reaches things
 * @property {import('./settings').Outside} outside where browsers do
 * @property {number} gatewayPort
 * @property {number} mediaPort
 * @property {string} repo
 * @property {string} home
 * @property {Record<string, string>} s3 the storage's address, bucket and keys, as variables
 * @property {Record<string, string>} ai the caller's own models, as variables
 * @property {Record<string, string>} programs where the programs are, as variables
 * @type {ReadonlyArray<{ name: string, schema: boolean, livekit: boolean, queues: boolean, env: (facts: Facts) => Record<string, string>, socket?: (facts: { gatewayPort: number }) => { host: string, port: number, variable: string }, programs?: string[], wants?: string[], otherwise?: string}>}
 */
const APPS = [
  {
    name: 'organization',
    schema: true,
    livekit: false,
    queues: true,
    env: ({ secrets }) => ({ WEBHOOK_KEY_SECRET: secrets.webhookKeySecret }),
  },
  {
    name: 'room',
    schema: true,
    livekit: true,
    queues: true,
    env: ({ secrets, outside }) => ({
      CLASSROOM_TOKEN_SECRET: secrets.classroomTokenSecret,
      CLASSROOM_URL: outside.page,
      LIVEKIT_PUBLIC_URL: outside.livekit,
    }),
  },
  {
    name: 'gateway',
    schema: false,
    livekit: true,
    queues: false,
    env: ({ secrets, urls, outside, gatewayPort, mediaPort, repo, s3 }) => ({
      ...s3,
      CACHE_REDIS_URL: withDatabase(urls.redis, DB.cache),
      DISPATCH_SECRET: secrets.dispatchSecret,
      DASHBOARD_TOKEN_SECRET: secrets.dashboardTokenSecret,
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: String(gatewayPort),
      CLASSROOM_URL: outside.page,
      CLASSROOM_ASSETS: `${repo}/apps/classroom/dist`,
      LIVEKIT_PUBLIC_URL: outside.livekit,
      MEDIA_URL: outside.page,
      MEDIA_INTERNAL_URL: `http://127.0.0.1:${mediaPort}`,
      ...(outside.proxies ? { TRUSTED_PROXIES: outside.proxies } : {}),
    }),
    socket: ({ gatewayPort }) => ({ host: '127.0.0.1', port: gatewayPort, variable: 'GATEWAY_FD' }),
  },
  {
    name: 'billing',
    schema: true,
    livekit: false,
    queues: true,
    env: () => ({}),
  },
  {
    name: 'recording',
    schema: true,
    livekit: true,
    queues: true,
    env: ({ urls, s3 }) => ({ ...s3, RECORDING_ENGINE: 'embedded', RECORDING_PAGE_URL: `${urls.gateway}/recording` }),
  },
  {
    name: 'recorder',
    schema: false,
    livekit: false,
    queues: false,
    env: ({ home, s3, programs }) => ({ ...s3, ...programs, RECORDER_HOME: `${home}/recorder`, RECORDER_SLOTS: '1' }),
    programs: ['chromium', 'ffmpeg'],
    otherwise: 'recording is off',
  },
  {
    name: 'media',
    schema: true,
    livekit: false,
    queues: true,
    env: ({ home, outside, secrets, mediaPort, s3, programs }) => ({
      ...s3,
      ...programs,
      MEDIA_HOST: '127.0.0.1',
      MEDIA_PORT: String(mediaPort),
      // Behind the gateway's address, as the page and the recordings are.
      MEDIA_URL: outside.page,
      CLASSROOM_URL: outside.page,
      MEDIA_SIGNING_KEYS: `local:${secrets.mediaSigningKey}`,
      MEDIA_WORK_HOME: `${home}/media`,
    }),
    programs: ['ffmpeg'],
    otherwise: 'stored videos are off',
  },
  {
    name: 'ai',
    schema: true,
    livekit: false,
    queues: false,
    env: ({ secrets, s3, ai, programs }) => ({ ...s3, ...ai, ...programs, AI_KEY_SECRET: secrets.aiKeySecret }),
    wants: ['espeak-ng', 'ffmpeg', 'pocketsphinx'],
    otherwise: 'AI speaks, hears or sees less',
  },
];

module.exports = { APPS };
