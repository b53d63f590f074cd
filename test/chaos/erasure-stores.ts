import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Bucket, type TestStack } from '@classroom/testing';
import { RedisWire } from './hostile/wire.js';

const READ: Record<string, string[]> = {
  string: ['GET'],
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  set: ['SMEMBERS'],
  zset: ['ZRANGE', '0', '-1'],
  stream: ['XRANGE', '-', '+'],
};
/** Of jobs, LiveKit, and the gateways' cache. */
const DATABASES = [0, 1, 2];

async function redisKeysWith(stack: TestStack, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const database of DATABASES) {
    const redis = await RedisWire.open(`${stack.urls.redis}/${database}`);
    try {
      for (const key of await redis.list('KEYS', '*')) {
        const type = (await redis.command('TYPE', key)).slice(1).trim();
        const [command = 'GET', ...rest] = READ[type] ?? [];
        const value = await redis.command(command, key, ...rest);
        if (key.includes(text) || value.includes(text)) found.push(`redis ${database}: ${key}`);
      }
    } finally {
      redis.end();
    }
  }
  return found;
}

/** Where a text is outside Postgres and the streams: keys of Redis and their values, objects, and with `inFiles` logs and traces. */
export async function storesWith(stack: TestStack, text: string, { inFiles }: { inFiles: boolean }): Promise<string[]> {
  const objects = [...(await Bucket.of(stack).list('')).keys()].filter((key) => key.includes(text));
  const files = inFiles ? [...stack.files('logs'), ...stack.files('traces')] : [];
  const named = files.filter((file) => readFileSync(file).includes(text)).map((file) => basename(file));
  return [...(await redisKeysWith(stack, text)), ...objects, ...named];
}
