import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, secret } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    /** `egress`: LiveKit Egress, where it is deployed; `embedded`: our own recorder. */
    RECORDING_ENGINE: z.enum(['egress', 'embedded']),
    /** Where this process reaches LiveKit's API. */
    LIVEKIT_URL: z.string().min(1),
    /** LiveKit's key for its API and for recorders' tokens. */
    LIVEKIT_API_KEY: z.string().min(1),
    /** The key's secret. */
    LIVEKIT_API_SECRET: secret,
    /** LiveKit as a recorder's browser reaches it. */
    LIVEKIT_PUBLIC_URL: z.string().min(1),
    /** Jobs: no eviction, append-only file. */
    REDIS_URL: z.string().min(1),
    /** The recording page as a recorder reaches it. */
    RECORDING_PAGE_URL: z.url(),
    /** How long a file is kept after its class ended. */
    RECORDING_RETENTION_HOURS: count(6),
    /** A recording that is STARTING for longer is looked into. */
    RECORDING_STARTING_SECONDS: count(30),
    /** How often a recording is compared with the engine. */
    RECORDING_RECONCILE_SECONDS: count(30),
  });
export type RecordingConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
