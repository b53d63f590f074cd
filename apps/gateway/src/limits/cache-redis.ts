import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, Dependencies, logger } from '@classroom/platform';
import { Redis } from 'ioredis';
import type { GatewayConfig } from '../config.js';

/** Timeout of a command, longer than Redis normally takes: a limit must not delay a request. */
const COMMAND_TIMEOUT_MS = 250;

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

  onModuleInit(): void {
    this.dependencies.register('redis', () => this.client.ping(), { required: false });
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
