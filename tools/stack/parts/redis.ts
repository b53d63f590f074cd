import fs from 'node:fs';
import path from 'node:path';
import { redisAnswers } from '../checks.ts';
import { REPO, writePrivate } from '../context.ts';
import type { PartContext } from '../options.ts';
import { partProcess } from '../process.ts';
import type { Secrets } from '../secrets.ts';
import type { Tools } from './obtain.ts';

/** Database numbers on one server: jobs, LiveKit's own data, caches. */
export const DB = { jobs: 0, livekit: 1, cache: 2 };

/** The users and their permissions, written by `npm run generate -- users`. */
const usersFile = (server: 'jobs' | 'cache') => path.join(REPO, 'deploy', 'redis', `${server}.conf`);

export function createRedis(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const port = ports.parts.redis;
  const folder = path.join(home, 'redis');
  const configFile = path.join(folder, 'redis.conf');
  const handle = partProcess(
    'redis',
    {
      check: () => redisAnswers('127.0.0.1', port, secrets.redisPassword),
      command: () => {
        fs.mkdirSync(folder, { recursive: true });
        // In a file, because every user of the machine can read command-line flags.
        writePrivate(configFile, `requirepass ${secrets.redisPassword}\n${users(secrets.redisPasswords)}`);
        const flags = {
          bind: '127.0.0.1',
          port,
          dir: folder,
          appendonly: 'yes',
          databases: 16,
          // Any other policy silently deletes jobs.
          'maxmemory-policy': 'noeviction',
          daemonize: 'no',
        };
        const more = Object.entries(flags).flatMap(([key, value]) => [`--${key}`, String(value)]);
        return tools.tool('redis-server', configFile, ...more);
      },
    },
    stack,
  );
  return { handle, url: localRedisUrl(port, secrets.redisPassword) };
}

/** One server has the users of both, so that it needs the memory of one. */
const users = (passwords: Secrets['redisPasswords']) =>
  (['jobs', 'cache'] as const)
    .map((server) => fs.readFileSync(usersFile(server), 'utf8'))
    .join('')
    .replaceAll(/\$REDIS_([A-Z]+)_PASSWORD/g, (_, user: string) => passwords[user.toLowerCase()] ?? '');

/** The address of a database with the user's own password. An external server's address keeps its user. */
export function redisUrlOf(
  user: string,
  url: string,
  db: number,
  { redisPassword, redisPasswords }: Pick<Secrets, 'redisPassword' | 'redisPasswords'>,
): string {
  const own = new URL(url);
  own.pathname = `/${db}`;
  if (own.username || own.password !== redisPassword) return own.toString();
  own.username = user;
  own.password = redisPasswords[user] ?? '';
  return own.toString();
}

export const localRedisUrl = (port: number, password: string) => `redis://:${password}@127.0.0.1:${port}`;
