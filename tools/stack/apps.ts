import { withDatabase, DB } from './parts/redis.ts';
import type { ProgramName } from './programs.ts';
import type { Secrets } from './secrets.ts';
import type { Outside } from './settings.ts';
import type { Urls } from './stack.ts';

export type Variables = Record<string, string>;

/** What there is to tell an app. */
export interface Facts {
  secrets: Secrets;
  /** Where this machine reaches things. */
  urls: Urls;
  /** Where browsers do. */
  outside: Outside;
  gatewayPort: number;
  mediaPort: number;
  repo: string;
  home: string;
  /** The storage's address, bucket and keys, as variables. */
  s3: Variables;
  /** The caller's own models, as variables. */
  ai: Variables;
  /** Where the programs are, as variables. */
  programs: Variables;
}

export interface App {
  name: string;
  /** Has a Postgres role `classroom_<name>`, a `dist/migrate.js` and gets a DATABASE_URL. */
  schema: boolean;
  /** Gets LiveKit's address, key and secret. */
  livekit: boolean;
  /** Has jobs in Redis and gets a REDIS_URL. */
  queues: boolean;
  /** What only this app gets, from the stack's facts. */
  env: (facts: Facts) => Variables;
  /** `npm start` holds the port for it. */
  socket?: (facts: Pick<Facts, 'gatewayPort'>) => { host: string; port: number; variable: string };
  /** Which it starts; where one can't be had the app stays off, and `otherwise` says what that means. */
  programs?: ProgramName[];
  /** Programs without which it runs all the same, and does less. */
  wants?: ProgramName[];
  otherwise?: string;
}

/** The one list of apps. The order is only that of their probe ports: append, so that the others keep theirs. */
export const APPS: readonly App[] = [
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
