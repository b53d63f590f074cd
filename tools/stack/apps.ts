import { redisUrlOf, DB } from './parts/redis.ts';
import type { ProgramName } from './programs.ts';
import type { Secrets } from './secrets.ts';
import type { Outside } from './settings.ts';
import type { Urls } from './stack.ts';

export type Variables = Record<string, string>;

/** The facts about a stack from which the variables of an app are made. */
export interface Facts {
  secrets: Secrets;
  /** Addresses at which this machine reaches the parts. */
  urls: Urls;
  /** Addresses at which browsers reach the stack. */
  outside: Outside;
  gatewayPort: number;
  mediaPort: number;
  repo: string;
  home: string;
  /** Address, bucket and keys of the storage, as variables. */
  s3: Variables;
  /** Models of the caller, as variables. */
  ai: Variables;
  /** Paths of the programs, as variables. */
  programs: Variables;
}

export interface App {
  name: string;
  /** The app has a Postgres role `classroom_<name>`, a `dist/migrate.js`, and gets a DATABASE_URL. */
  schema: boolean;
  /** The app gets LiveKit's address, key and secret. */
  livekit: boolean;
  /** The app has jobs in Redis and gets a REDIS_URL. */
  queues: boolean;
  /** Variables that only this app gets. */
  env: (facts: Facts) => Variables;
  /** The port that `npm start` keeps bound for the app while the app restarts. */
  socket?: (facts: Pick<Facts, 'gatewayPort'>) => { host: string; port: number; variable: string };
  /** Programs that the app starts. If one can't be obtained, the app is not started, and `otherwise` describes the effect. */
  programs?: ProgramName[];
  /** Programs without which the app still runs, with fewer features. */
  wants?: ProgramName[];
  otherwise?: string;
}

/** The single list of apps. A position determines only the app's probe port: append new apps, so that the others keep theirs. */
export const APPS: readonly App[] = [
  {
    name: 'organization',
    schema: true,
    livekit: false,
    queues: true,
    env: ({ secrets, s3 }) => ({ WEBHOOK_KEY_SECRET: secrets.webhookKeySecret, ...s3 }),
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
    env: ({ secrets, urls, outside, gatewayPort, mediaPort, repo, home, s3 }) => ({
      ...s3,
      CACHE_REDIS_URL: redisUrlOf('gateway', urls.redis, DB.cache, secrets, repo),
      DISPATCH_SECRET: secrets.dispatchSecret,
      ...(process.env.OPERATORS ? { OPERATORS: process.env.OPERATORS } : {}),
      DASHBOARD_TOKEN_SECRET: secrets.dashboardTokenSecret,
      CALLER_SIGNING_KEY: secrets.callerSigningKey,
      GATEWAY_HOST: '127.0.0.1',
      GATEWAY_PORT: String(gatewayPort),
      CLASSROOM_URL: outside.page,
      CLASSROOM_ASSETS: `${repo}/apps/classroom/dist`,
      CONSOLE_ASSETS: `${repo}/apps/console/dist`,
      PACKAGES: `${repo}/dist/packages`,
      GUIDES: `${repo}/docs/guides`,
      LANDING_LINKS: `${home}/links.json`,
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
    env: ({ programs }) => programs,
    wants: ['fonts'],
    otherwise: 'statements show boxes in place of the letters of many scripts',
  },
  {
    name: 'recording',
    schema: true,
    livekit: true,
    queues: true,
    env: ({ urls, secrets, s3 }) => ({
      ...s3,
      RECORDING_ENGINE: 'embedded',
      RECORDING_PAGE_URL: `${urls.gateway}/recording`,
      RECORDING_KEY_SECRET: secrets.recordingKeySecret,
    }),
  },
  {
    name: 'recorder',
    schema: false,
    livekit: false,
    queues: false,
    env: ({ home, s3, programs }) => ({
      ...s3,
      ...programs,
      RECORDER_HOME: `${home}/recorder`,
      RECORDER_SLOTS: '1',
      // Chromium has no sandbox for root.
      CHROMIUM_SANDBOX: 'auto',
    }),
    programs: ['chromium', 'ffmpeg'],
    wants: ['fonts'],
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
      // Served through the gateway's address, like the page and the recordings.
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
