import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, liveKitKeys, loadConfig, secret, secrets } from '@classroom/platform';
import { z } from 'zod';

const url = (fallback?: string) => (fallback ? z.string().default(fallback) : z.string().min(1));
const seconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig.extend(persistenceConfig.shape).extend({
  /** Address at which this process reaches LiveKit's API; browsers use LIVEKIT_PUBLIC_URL. */
  LIVEKIT_URL: url(),
  /** Address at which browsers and apps reach LiveKit's signalling, `wss://…`. */
  LIVEKIT_PUBLIC_URL: url(),
  /** LiveKit's API key, for calls to its API and for join tokens. */
  LIVEKIT_API_KEY: z.string().min(1),
  /** Secret of LIVEKIT_API_KEY. */
  LIVEKIT_API_SECRET: secret,
  /** Further LiveKit keys, `<key>:<secret>,…`, whose join tokens are accepted while LiveKit's key is rotated. */
  LIVEKIT_OTHER_KEYS: liveKitKeys,
  /**
   * Signs classroom tokens; at least 32 characters. To rotate it, list several, separated by commas: the first signs, tokens of
   * all are accepted.
   */
  CLASSROOM_TOKEN_SECRET: secrets,
  /** Redis for the job queues. It must not evict keys and must use an append-only file. */
  REDIS_URL: url(),
  /** Public address of the class page; `iframeUrl` begins with it. */
  CLASSROOM_URL: url(),
  /** Seconds for which a join token is valid, and so for which a link can be opened. */
  JOIN_TOKEN_TTL_SECONDS: seconds(3600),
  /**
   * Longest interval in seconds at which a live room is compared with LiveKit's list; half of it after a comparison that
   * found a difference. A change whose webhook was lost is seen, and charged, after this time.
   */
  RECONCILE_SECONDS: seconds(20),
});
export type RoomConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
