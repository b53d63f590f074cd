import { once } from 'node:events';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { Redis } from 'ioredis';
import type { GatewayConfig } from '../config.js';

/** Timeout of a command, longer than Redis normally takes: a limit must not delay a request. */
const COMMAND_TIMEOUT_MS = 250;
/** How long a start waits for the first connection. If Redis refuses it, the start continues at once. */
const FIRST_CONNECTION_TIMEOUT_MS = 2_000;

/** The cache's Redis. While it is unreachable, commands fail immediately and their callers continue without it. */
@Injectable()
export class CacheRedis implements OnModuleInit, OnApplicationShutdown {
  readonly client: Redis;

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly dependencies: Dependencies,
  ) {
    this.client = new Redis(config.CACHE_REDIS_URL, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 1_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
    });
    this.client.on('error', (error) => logger.debug({ err: error }, 'cache unreachable'));
  }

  /** Resolves when the first connection is made: the first requests are counted with those of all gateways, and their answers stored. */
  async onModuleInit(): Promise<void> {
    this.dependencies.register('redis', () => this.client.ping(), { required: false });
    if (this.client.status === 'ready') return;
    await once(this.client, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECTION_TIMEOUT_MS) }).catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
