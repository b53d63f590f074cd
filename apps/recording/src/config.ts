import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, outboundConfig, secret, secrets } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend(outboundConfig.shape)
  .extend({
    /** What captures rooms. `egress`: LiveKit Egress, if it is deployed; `embedded`: our own recorder. */
    RECORDING_ENGINE: z.enum(['egress', 'embedded']),
    /** Address at which this process reaches LiveKit's API. */
    LIVEKIT_URL: z.string().min(1),
    /** LiveKit's API key, for calls to its API and for recorders' tokens. */
    LIVEKIT_API_KEY: z.string().min(1),
    /** Secret of LIVEKIT_API_KEY. */
    LIVEKIT_API_SECRET: secret,
    /** Address at which a recorder's browser reaches LiveKit. */
    LIVEKIT_PUBLIC_URL: z.string().min(1),
    /** Redis for the job queues. It must not evict keys and must use an append-only file. */
    REDIS_URL: z.string().min(1),
    /** Address at which a recorder reaches the recording page. */
    RECORDING_PAGE_URL: z.url(),
    /** Hours for which a file is kept after its class ended. */
    RECORDING_RETENTION_HOURS: count(6),
    /**
     * Encrypts the secrets of the keys with which recordings are copied to buckets of organizations; at least 32 characters. To rotate it,
     * list several separated by commas: the first encrypts, all decrypt. Without it, no organization can set a bucket.
     */
    RECORDING_KEY_SECRET: secrets.optional(),
    /** Id of the storage key that is handed to LiveKit Egress, which may write recordings. Default: this app's own key. */
    EGRESS_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
    /** Secret of EGRESS_S3_ACCESS_KEY_ID. */
    EGRESS_S3_SECRET_ACCESS_KEY: z.string().min(16, 'must be a secret of at least 16 characters').optional(),
  });
export type RecordingConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
