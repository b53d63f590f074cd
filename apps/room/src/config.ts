import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, liveKitKeys, loadConfig, secret, secrets } from '@classroom/platform';
import { z } from 'zod';

const url = (fallback?: string) => (fallback ? z.string().default(fallback) : z.string().min(1));
const seconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig.extend(persistenceConfig.shape).extend({
  /** Where this process reaches LiveKit's API; browsers use LIVEKIT_PUBLIC_URL. */
  LIVEKIT_URL: url(),
  /** LiveKit's signalling as browsers and apps reach it, `wss://…`. */
  LIVEKIT_PUBLIC_URL: url(),
  /** LiveKit's key for its API and for join tokens. */
  LIVEKIT_API_KEY: z.string().min(1),
  /** The key's secret. */
  LIVEKIT_API_SECRET: secret,
  /** While LiveKit's key is changed: `<key>:<secret>,…` whose join tokens are believed beside its own. */
  LIVEKIT_OTHER_KEYS: liveKitKeys,
  /** Signs classroom tokens; at least 32 characters. Several, comma separated, while it is changed: the first signs, all are believed. */
  CLASSROOM_TOKEN_SECRET: secrets,
  /** Jobs: no eviction, append-only file. */
  REDIS_URL: url(),
  /** The page's outside address; iframeUrl begins with it. */
  CLASSROOM_URL: url(),
  /** A join token's life: a link can be opened for so long. */
  JOIN_TOKEN_TTL_SECONDS: seconds(3600),
  /** A classroom token's life; the page renews it while its participant is present. */
  CLASSROOM_TOKEN_TTL_SECONDS: seconds(3600),
  /** A created room that nobody ever joined is finished after this many days. */
  ROOM_UNUSED_DAYS: seconds(30),
  /** How often a live room is compared with LiveKit's list: what a lost webhook hid is seen, and charged, after so long. */
  RECONCILE_SECONDS: seconds(15),
  /**
   * How long after its last token's expiry an unused room is taken out of LiveKit. LiveKit lets a token in for a minute
   * longer than it says, and we keep the expiry to the minute.
   */
  PARK_AFTER_SECONDS: seconds(180),
});
export type RoomConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
