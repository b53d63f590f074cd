import { resolve } from 'node:path';
import { baseConfig, loadConfig } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const schema = baseConfig.extend(storageConfig.shape).extend({
  /** How many captures this process takes at once; at 720p30 each wants a core of its own. */
  RECORDER_SLOTS: z.coerce.number().int().min(1).max(64).default(1),
  /** The folder of captures in progress. It has to outlive the process, or what a crash left can't be saved. */
  RECORDER_HOME: z.string().min(1).transform((path) => resolve(path)),
  /** A capture ends by itself after so long, with its file whole. */
  RECORDER_MAX_SECONDS: z.coerce.number().int().min(1).default(6 * 3600),
  /** How long running captures go on after SIGTERM; the process itself is given 25 s. */
  RECORDER_DRAIN_SECONDS: z.coerce.number().int().min(0).max(24).default(20),
  CHROMIUM_PATH: z.string().min(1).default('/usr/bin/chromium'),
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  FFPROBE_PATH: z.string().min(1).default('ffprobe'),
});
export type RecorderConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
