import type { UsesPrograms } from './programs.ts';

export interface App extends UsesPrograms {
  /** The app has a Postgres role `classroom_<name>`, a `dist/migrate.js`, and gets a DATABASE_URL. */
  schema: boolean;
  /** The app gets LiveKit's address, key and secret. */
  livekit: boolean;
  /** The app has jobs in Redis and gets a REDIS_URL. */
  queues: boolean;
}

/** The single list of apps. A position determines only the app's probe port: append new apps, so that the others keep theirs. */
export const APPS: readonly App[] = [
  { name: 'organization', schema: true, livekit: false, queues: true },
  { name: 'room', schema: true, livekit: true, queues: true },
  { name: 'gateway', schema: false, livekit: true, queues: false },
  {
    name: 'billing',
    schema: true,
    livekit: false,
    queues: true,
    wants: ['fonts'],
    otherwise: 'statements show boxes in place of the letters of many scripts',
  },
  { name: 'recording', schema: true, livekit: true, queues: true },
  {
    name: 'recorder',
    schema: false,
    livekit: false,
    queues: false,
    programs: ['chromium', 'ffmpeg'],
    wants: ['fonts'],
    otherwise: 'recording is off',
  },
  {
    name: 'media',
    schema: true,
    livekit: false,
    queues: true,
    programs: ['ffmpeg'],
    wants: ['poppler', 'librsvg', 'fonts'],
    otherwise: 'stored videos and documents are off',
  },
  {
    name: 'ai',
    schema: true,
    livekit: false,
    queues: false,
    wants: ['espeak-ng', 'ffmpeg', 'pocketsphinx'],
    otherwise: 'AI speaks, hears or sees less',
  },
];

export const APP_NAMES = APPS.map(({ name }) => name);
