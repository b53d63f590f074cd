import { resolve } from 'node:path';
import { baseConfig, loadConfig } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const schema = baseConfig.extend(storageConfig.shape).extend({
  /** Number of captures that this process runs in parallel; at 720p30 each needs a core of its own. */
  RECORDER_SLOTS: z.coerce.number().int().min(1).max(64).default(1),
  /**
   * Folder of captures in progress. It has to outlive the process, or what a crash left is lost; a minute takes 25 MB at 720p and 35 MB
   * at 1080p, twice that while the file is made.
   */
  RECORDER_HOME: z
    .string()
    .min(1)
    .transform((path) => resolve(path)),
  /** The browser that films. It must record H.264, which is tested once at the start. */
  CHROMIUM_PATH: z.string().min(1).default('/usr/bin/chromium'),
  /**
   * Chromium's own sandbox. With `on`, a recorder without it accepts no job; `auto` uses it where it can start (never as root), otherwise logs a
   * warning. `npm start` sets `auto`.
   */
  CHROMIUM_SANDBOX: z.enum(['auto', 'on', 'off']).default('on'),
  /** The ffmpeg program, version 5.0 or newer. ffprobe, which checks every finished file before it is kept, is in its folder. */
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
});
export type RecorderConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);

/** The whole environment of programs that read untrusted media: it contains none of this process's addresses and secrets. */
export function childEnvironment(): Record<string, string> {
  const { PATH, HOME, LANG } = process.env;
  return Object.fromEntries(Object.entries({ PATH, HOME, LANG }).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
