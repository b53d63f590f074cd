import { once } from 'node:events';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { Redis } from 'ioredis';
import type { GatewayConfig } from '../config.js';

/** Timeout of a limit's command, longer than Redis normally takes: a limit must not delay a request. */
const LIMIT_TIMEOUT_MS = 250;
/** Timeout of a stored answer's command: without the answer, a repeated request would be executed again. */
const REPLY_TIMEOUT_MS = 2_000;
/** How long a start waits for the first connection. If Redis refuses it, the start continues at once. */
const FIRST_CONNECTION_TIMEOUT_MS = 2_000;

/** Connections to the cache's Redis. While it is unreachable, commands fail immediately and their callers continue without it. */
@Injectable()
export class CacheRedis implements OnModuleInit, OnApplicationShutdown {
  readonly limits: Redis;
  readonly replies: Redis;

  constructor(
    @Inject(CONFIG) { CACHE_REDIS_URL }: Pick<GatewayConfig, 'CACHE_REDIS_URL'>,
    private readonly dependencies: Dependencies,
  ) {
    this.limits = connect(CACHE_REDIS_URL, LIMIT_TIMEOUT_MS);
    this.replies = connect(CACHE_REDIS_URL, REPLY_TIMEOUT_MS);
  }

  /** Resolves when both are connected: the first requests are counted with those of all gateways, and their answers stored. */
  async onModuleInit(): Promise<void> {
    this.dependencies.register('redis', () => this.limits.ping(), { required: false });
    const signal = AbortSignal.timeout(FIRST_CONNECTION_TIMEOUT_MS);
    await Promise.allSettled([this.limits, this.replies].filter((it) => it.status !== 'ready').map((it) => once(it, 'ready', { signal })));
  }

  onApplicationShutdown(): void {
    this.limits.disconnect();
    this.replies.disconnect();
  }
}

function connect(url: string, commandTimeout: number): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    connectTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  return client.on('error', (error) => logger.debug({ err: error }, 'cache unreachable'));
}
