import { connectionsConfig } from '@classroom/http';
import { baseConfig, liveKitKeys, loadConfig, outboundConfig, secret, secrets } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';
import { operators } from './operators-setting.js';

const securityContacts = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(z.url({ protocol: /^(mailto|https|tel)$/, error: 'must be mailto:…, https://… or tel:…, separated by commas' })).min(1))
  .optional();

/** With the variables of the object storage, in which audio and images for the AI service are stored. */
const schema = baseConfig
  .extend(storageConfig.shape)
  .extend(connectionsConfig.shape)
  .extend(outboundConfig.shape)
  .extend({
    /** Address on which the public port listens; loopback behind a proxy on the same machine. */
    GATEWAY_HOST: z.string().default('0.0.0.0'),
    /** The public port; 0 chooses a free one. */
    GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    /** Port for /v1/admin alone, which the public port then does not serve. Default: the public port serves it. */
    GATEWAY_ADMIN_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
    /** Address on which that port listens. */
    GATEWAY_ADMIN_HOST: z.string().default('127.0.0.1'),
    /** Public URL of the class page. Its origin may call /v1/classroom from a browser, as may the origins of verified domains. */
    CLASSROOM_URL: z.url(),
    /** Folder of the built console, which is served at /console, and of the page at /. Default: the gateway serves neither. */
    CONSOLE_ASSETS: z.string().min(1).optional(),
    /** File with links that the page at / shows, `[{"name": "…", "url": "…"}]`; only with DEPLOYMENT=local. */
    LANDING_LINKS: z.string().min(1).optional(),
    /** Page of your tracing UI that lists slow traces: the console links it to operators. */
    TRACES_URL: z.url({ protocol: /^https?$/ }).optional(),
    /**
     * Addresses for reports of vulnerabilities, `mailto:…`, `https://…` or `tel:…`, separated by commas, which /.well-known/security.txt (RFC 9116) publishes.
     * Default: none, and the path answers 404.
     */
    SECURITY_CONTACT: securityContacts,
    /** Page with your policy for such reports, which the same file names. */
    SECURITY_POLICY: z.url({ protocol: /^https$/ }).optional(),
    /** Public URL of uploads and playback: the player and the class page may load from it, and the class page may upload to it. */
    MEDIA_URL: z.url().optional(),
    /** Internal address of the media service, for a gateway that passes uploads and playback on to it. */
    MEDIA_INTERNAL_URL: z.url().optional(),
    /** LiveKit's signalling as browsers reach it, `wss://…`. Apart from the gateway, the class page may connect to no other server. */
    LIVEKIT_PUBLIC_URL: z.string().min(1),
    /** LiveKit as LiveKit Egress reaches it (its `ws_url`), if Egress records. The recording page may connect to it and to LIVEKIT_PUBLIC_URL. */
    EGRESS_LIVEKIT_URL: z.url().optional(),
    /** The API key with which LiveKit signs its webhooks (its `webhook.api_key`). Room and recording have the same one. */
    LIVEKIT_API_KEY: z.string().min(1),
    /** Secret of LIVEKIT_API_KEY. It also opens the paths of photos and logos, which room and recording seal with it. */
    LIVEKIT_API_SECRET: secret,
    /** Further LiveKit keys, `<key>:<secret>,…`, whose webhooks and paths of pictures are accepted while LiveKit's key is rotated. */
    LIVEKIT_OTHER_KEYS: liveKitKeys,
    /** Private key (Ed25519, PKCS 8 as DER in base64) with which the gateway states to services who called: see CALLER_PUBLIC_KEYS of the services. */
    CALLER_SIGNING_KEY: z.string().optional(),
    /**
     * Public keys (Ed25519, SPKI as DER in base64, comma separated) with which receipts of erasures were signed, also those that sign none any more. They are listed
     * at /.well-known/erasure-receipt-keys.json.
     */
    RECEIPT_PUBLIC_KEYS: z
      .string()
      .default('')
      .transform((value) => value.split(',').filter(Boolean)),
    /** The operators' secret for /v1/admin, at least 32 characters. During a rotation, DISPATCH_SECRET_PREVIOUS is accepted too. */
    DISPATCH_SECRET: secret,
    /** The previous secret of the operators, only during a rotation. */
    DISPATCH_SECRET_PREVIOUS: z.string().min(16).optional(),
    /**
     * Operators with secrets of their own, `<name>:<SHA-256 of the secret, hexadecimal>[:admin|:read][:<last day, as 2027-06-30>]`, separated by
     * commas. Their names appear in the audit log, where DISPATCH_SECRET is called `dispatch`. The default role is `admin`; `read` allows GET
     * only. After the last day (UTC) the secret is refused.
     */
    OPERATORS: operators,
    /**
     * Signs dashboard tokens and encrypts stored answers; at least 32 characters. To rotate it, list several, separated by commas: the first
     * is used, all are accepted.
     */
    DASHBOARD_TOKEN_SECRET: secrets,
    /**
     * Addresses or networks (comma separated) whose X-Forwarded-For is trusted, and to which MAX_CONNECTIONS_PER_ADDRESS does not apply. Behind
     * any other proxy, all clients count as one address.
     */
    TRUSTED_PROXIES: z
      .string()
      .optional()
      .transform((value) => value?.split(',').map((part) => part.trim()) ?? []),
    /**
     * Redis for rate limits and stored answers, shared by all gateways, but not the one for jobs: it may lose its data, so any eviction
     * policy will do. Without it, each gateway limits for itself and stores no answers.
     */
    CACHE_REDIS_URL: z.string().min(1),
    /** Requests per minute of one organization, over all gateways. */
    RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(100).default(1000),
    /** Requests of one organization that each gateway works on at the same time, among them answers that it streams. */
    ORGANIZATION_REQUESTS_IN_PROGRESS: z.coerce.number().int().min(10).default(500),
    /** Streams of events (`GET /v1/events/stream`) of one organization that each gateway keeps open. */
    ORGANIZATION_EVENT_STREAMS: z.coerce.number().int().min(1).default(20),
    /** Streams of events that each gateway keeps open. Each reads the history every 5 seconds, and when there is a new event. */
    EVENT_STREAMS: z.coerce.number().int().min(1).default(1_000),
    /** Requests per minute from one address to the health endpoint, which asks every service; each gateway counts for itself. */
    HEALTH_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
    /** Requests per minute of one person in a class, over all gateways. */
    CLASSROOM_REQUESTS_PER_MINUTE: z.coerce.number().int().min(60).default(600),
    /** Requests per minute from one address to /v1/admin; each gateway counts for itself. */
    ADMIN_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
    /** Class pages opened per minute from one address; each gateway counts for itself. A whole school may share an address. */
    PAGE_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(30_000),
    /**
     * Requests per minute from one address to what is no operation of the API: files of pages, the console, players, pictures, uploads and playback. Each
     * gateway counts for itself. A whole school may share an address.
     */
    OPEN_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(120_000),
    /**
     * Wrong credentials of organizations, API keys and dashboard tokens per minute from one address; each gateway counts for itself. A tenth of this is
     * allowed for wrong operators' secrets, twenty times as many for wrong tokens of a class.
     */
    REFUSED_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(300),
    /**
     * MiB per day of one organization's answers that are stored for repeated Idempotency-Keys; a person in a class has 1 MiB. Further
     * answers are not stored.
     */
    KEPT_ANSWERS_MIB: z.coerce.number().int().min(1).default(64),
    /** Seconds between reporting "not ready" and refusing connections, for load balancers to notice. */
    SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).default(0),
  });
export type GatewayConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
