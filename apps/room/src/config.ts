import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, secret } from '@classroom/platform';
import { z } from 'zod';

const url = (fallback?: string) => (fallback ? z.string().default(fallback) : z.string().min(1));
const seconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const schema = baseConfig.extend(persistenceConfig.shape).extend({
  /** Where this process reaches LiveKit's API; browsers use LIVEKIT_PUBLIC_URL. */
  LIVEKIT_URL: url(),
  LIVEKIT_PUBLIC_URL: url(),
  LIVEKIT_API_KEY: z.string().min(1),
  LIVEKIT_API_SECRET: secret,
  CLASSROOM_TOKEN_SECRET: secret,
  /** Jobs: no eviction, append-only file. */
  REDIS_URL: url(),
  /** The page's outside address; iframeUrl begins with it. */
  CLASSROOM_URL: url(),
  JOIN_TOKEN_TTL_SECONDS: seconds(3600),
  /** A classroom token's life; the page renews it while its participant is present. */
  CLASSROOM_TOKEN_TTL_SECONDS: seconds(3600),
  /** A created room that nobody ever joined is finished after this many days. */
  ROOM_UNUSED_DAYS: seconds(30),
  RECONCILE_SECONDS: seconds(15),
  /**
   * How long after its last token's expiry an unused room is taken out of LiveKit. LiveKit lets a token in for a minute
   * longer than it says, and we keep the expiry to the minute.
   */
  PARK_AFTER_SECONDS: seconds(180),
});
export type RoomConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
