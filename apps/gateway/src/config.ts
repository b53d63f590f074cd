import { baseConfig, loadConfig, secret } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

/** Sound and pictures for the AI service wait in the object storage. */
const schema = baseConfig.extend(storageConfig.shape).extend({
  GATEWAY_HOST: z.string().default('0.0.0.0'),
  GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** The page's outside address: its origin alone may call /v1/classroom from a browser. */
  CLASSROOM_URL: z.url(),
  /** Folder of the built page. */
  CLASSROOM_ASSETS: z.string().min(1),
  /** Where the outside uploads and plays videos: the player page may load from there. */
  MEDIA_URL: z.url().optional(),
  /** Where the media service listens, for a gateway that passes uploads and playback on to it. */
  MEDIA_INTERNAL_URL: z.url().optional(),
  LIVEKIT_PUBLIC_URL: z.string().min(1),
  LIVEKIT_API_KEY: z.string().min(1),
  LIVEKIT_API_SECRET: secret,
  /** The operators' secret; a second one is valid beside it during a rotation. */
  DISPATCH_SECRET: z.string().min(16, 'must be a secret of at least 16 characters'),
  DISPATCH_SECRET_PREVIOUS: z.string().min(16).optional(),
  /** Addresses or networks (comma separated) whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: z
    .string()
    .optional()
    .transform((value) => value?.split(',').map((part) => part.trim()) ?? []),
  /** Rate limits and kept answers, shared by all gateways; without it each limits for itself and keeps nothing. */
  CACHE_REDIS_URL: z.string().min(1),
  /** Requests of one organization over all gateways. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(100).default(1000),
  HEALTH_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** Seconds between "not ready" and refusing connections, for load balancers to notice. */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).default(0),
});
export type GatewayConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
