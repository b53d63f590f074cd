import { baseConfig, liveKitKeys, loadConfig, secret, secrets } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

/** Sound and pictures for the AI service wait in the object storage. */
const schema = baseConfig.extend(storageConfig.shape).extend({
  /** Address that the public port listens on; loopback behind a proxy of the same machine. */
  GATEWAY_HOST: z.string().default('0.0.0.0'),
  /** The public port; 0 takes any free one. */
  GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** A socket, already bound, to listen on instead: the file descriptor that a launcher gave this process, so that its port outlives a crash. */
  GATEWAY_FD: z.coerce.number().int().min(3).optional(),
  /** The page's outside address: its origin alone may call /v1/classroom from a browser. */
  CLASSROOM_URL: z.url(),
  /** Folder of the built page. */
  CLASSROOM_ASSETS: z.string().min(1),
  /** Where the outside uploads and plays videos: the player page may load from there. */
  MEDIA_URL: z.url().optional(),
  /** Where the media service listens, for a gateway that passes uploads and playback on to it. */
  MEDIA_INTERNAL_URL: z.url().optional(),
  /** LiveKit's signalling as browsers reach it, `wss://…`: the page may talk to it and to nobody else. */
  LIVEKIT_PUBLIC_URL: z.string().min(1),
  /** The key that LiveKit signs its webhooks with (its `webhook.api_key`). */
  LIVEKIT_API_KEY: z.string().min(1),
  /** The key's secret. */
  LIVEKIT_API_SECRET: secret,
  /** While LiveKit's key is changed: `<key>:<secret>,…` whose webhooks are believed beside its own. */
  LIVEKIT_OTHER_KEYS: liveKitKeys,
  /** The operators' secret; a second one is valid beside it during a rotation. */
  DISPATCH_SECRET: z.string().min(16, 'must be a secret of at least 16 characters'),
  /** The one before, while a rotation lasts. */
  DISPATCH_SECRET_PREVIOUS: z.string().min(16).optional(),
  /** Signs the tokens of dashboards and seals kept answers; at least 32 characters. Several, comma separated, while it is changed: the first signs, all are believed. */
  DASHBOARD_TOKEN_SECRET: secrets,
  /** Addresses or networks (comma separated) whose X-Forwarded-For is believed; behind any other proxy all clients count as one address. */
  TRUSTED_PROXIES: z
    .string()
    .optional()
    .transform((value) => value?.split(',').map((part) => part.trim()) ?? []),
  /** Rate limits and kept answers, shared by all gateways; without it each limits for itself and keeps nothing. May be lost, so any eviction policy does; not the jobs' database. */
  CACHE_REDIS_URL: z.string().min(1),
  /** Requests of one organization over all gateways. */
  RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(100).default(1000),
  /** Requests of one address to the health page, which asks every service. */
  HEALTH_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** Requests of one person in a class over all gateways. */
  CLASSROOM_REQUESTS_PER_MINUTE: z.coerce.number().int().min(60).default(600),
  /** Requests of one address to /v1/admin, by each gateway. */
  ADMIN_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /** Class pages opened from one address, by each gateway. A whole school may share an address. */
  PAGE_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(30_000),
  /** Wrong organization ids, API keys and dashboard tokens from one address, by each gateway; a tenth of it wrong operators' secrets, twenty times as many wrong tokens of a class. */
  REFUSED_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(300),
  /** Most that is kept of one organization's answers to repeated Idempotency-Keys in a day (MiB), and 1 MiB of one person in a class; further answers are not kept. */
  KEPT_ANSWERS_MIB: z.coerce.number().int().min(1).default(64),
  /** Seconds between "not ready" and refusing connections, for load balancers to notice. */
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).default(0),
});
export type GatewayConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
