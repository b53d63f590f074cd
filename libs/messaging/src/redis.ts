import type { RedisOptions } from 'ioredis';

/** Connection options for BullMQ. Workers wait for Redis without a limit and retry the connection at least once a second. */
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
