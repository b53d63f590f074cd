import { resolve } from 'node:path';
import { baseConfig, loadConfig, outboundConfig } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const schema = baseConfig
  .extend(storageConfig.shape)
  .extend(outboundConfig.shape)
  .extend({
    /** How many captures this process takes at once; at 720p30 each wants a core of its own. */
    RECORDER_SLOTS: z.coerce.number().int().min(1).max(64).default(1),
    /** The folder of captures in progress. It has to outlive the process, or what a crash left can't be saved. A minute takes 25 MB at 720p, 35 MB at 1080p, twice that while the file is made. */
    RECORDER_HOME: z
      .string()
      .min(1)
      .transform((path) => resolve(path)),
    /** A capture ends by itself after so long, with its file whole. */
    RECORDER_MAX_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .default(6 * 3600),
    /** The browser that sits in class: one that records H.264, which is tried once at the start. */
    CHROMIUM_PATH: z.string().min(1).default('/usr/bin/chromium'),
    /** Chromium's own sandbox: `auto` uses it where it can start, which as root it never can, and warns otherwise; `on` takes no job without it. */
    CHROMIUM_SANDBOX: z.enum(['auto', 'on', 'off']).default('auto'),
    /** The encoder of the film, 5.0 or newer. */
    FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
    /** Looks at every finished film before it is kept; of the same version. */
    FFPROBE_PATH: z.string().min(1).default('ffprobe'),
  });
export type RecorderConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);

/** All that a program which reads strangers' media gets of our environment: no address and no secret of ours. */
export function childEnvironment(): Record<string, string> {
  const { PATH, HOME, LANG } = process.env;
  return Object.fromEntries(Object.entries({ PATH, HOME, LANG }).filter((pair): pair is [string, string] => pair[1] !== undefined));
}
