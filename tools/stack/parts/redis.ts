import fs from 'node:fs';
import path from 'node:path';
import { ManagedProcess, ORDER } from '../process.ts';
import { redisAnswers } from '../checks.ts';
import { writePrivate } from '../paths.ts';
import { commandOf } from './docker.ts';
import type { Tools } from './find.ts';
import type { PartContext } from '../stack.ts';

/** Database numbers on one server: jobs, LiveKit's own data, caches. */
export const DB = { jobs: 0, livekit: 1, cache: 2 };

export function createRedis(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const port = ports.parts.redis;
  const folder = path.join(home, 'redis');
  const configFile = path.join(folder, 'redis.conf');
  const handle = new ManagedProcess(
    {
      name: 'redis',
      order: ORDER.part,
      check: () => redisAnswers('127.0.0.1', port, secrets.redisPassword),
      command: (extraEnv) => {
        fs.mkdirSync(folder, { recursive: true });
        // In a file, because every user of the machine can read command-line flags.
        writePrivate(configFile, `requirepass ${secrets.redisPassword}\n`);
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
        const command = commandOf(tools, 'redis-server', { home, part: 'redis', mounts: [folder] });
        return {
          file: command.file,
          args: [...command.args, configFile, ...Object.entries(flags).flatMap(([key, value]) => [`--${key}`, String(value)])],
          env: { PATH: process.env.PATH ?? '', ...command.env, ...extraEnv },
        };
      },
    },
    stack,
  );
  return { handle, url: localRedisUrl(port, secrets.redisPassword) };
}

export const localRedisUrl = (port: number, password: string) => `redis://:${password}@127.0.0.1:${port}`;

/** The URL of another database on the same server. */
export function withDatabase(url: string, db: number) {
  const changed = new URL(url);
  changed.pathname = `/${db}`;
  return changed.toString();
}
