import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    /** Address that uploads and playback listen on. */
    MEDIA_HOST: z.string().default('0.0.0.0'),
    /** Uploads and playback: bytes never travel over NATS. */
    MEDIA_PORT: z.coerce.number().int().min(0).max(65_535).default(8090),
    /** What the outside uses: upload and playback addresses begin with it. */
    MEDIA_URL: z.url(),
    /** The classroom page's outside address: its origin may play and upload as well as those on verified domains. */
    CLASSROOM_URL: z.url().optional(),
    /** `<id>:<secret>,…`: the first signs, all are believed. */
    MEDIA_SIGNING_KEYS: z
      .string()
      .regex(
        /^[a-z0-9]{1,16}:[^,:]{32,}(,[a-z0-9]{1,16}:[^,:]{32,})*$/,
        'must be <id>:<secret of at least 32 characters>, comma separated',
      ),
    /** Jobs: no eviction, append-only file. */
    REDIS_URL: z.string().min(1),
    /** Where programs are looked for that are named without a folder. */
    PATH: z.string().default(''),
    /** The encoder, 5.0 or newer. */
    FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
    /** Tells what a source is made of; of the same version. */
    FFPROBE_PATH: z.string().min(1).default('ffprobe'),
    /** Where a worker keeps what it works on. */
    MEDIA_WORK_HOME: z.string().min(1),
    /** Videos that this process transcodes at once; they share its cores. */
    TRANSCODING_SLOTS: count(1),
    /** After so much silence of a worker its video is another's. */
    TRANSCODING_LEASE_SECONDS: count(60),
    /** Seconds of a source at most: 6 h, as long as a recording can be. */
    MAX_SOURCE_SECONDS: count(6 * 3600),
    /** Pixels of a source's larger side at most. */
    MAX_SOURCE_SIDE: count(4096),
    /** How long an upload that was begun can be finished. */
    UPLOAD_HOURS: count(24),
  });
export type MediaConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
