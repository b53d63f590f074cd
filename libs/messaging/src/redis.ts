import type { RedisOptions } from 'ioredis';

/** BullMQ's connection: workers wait for Redis for ever, and connect again within a second. */
export function redisOptions(url: string) {
  const { hostname, port, password, username, pathname, protocol } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
  } satisfies RedisOptions;
}
