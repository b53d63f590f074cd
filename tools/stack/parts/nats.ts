import fs from 'node:fs';
import path from 'node:path';
import { ManagedProcess, ORDER } from '../process.ts';
import { statusOf } from '../checks.ts';
import { writePrivate } from '../paths.ts';
import { commandOf } from './docker.ts';
import type { Tools } from './find.ts';
import type { PartContext } from '../stack.ts';

const USER = 'classroom';
/** Seconds for a client to log in. NATS's own 2 s end connections of processes that just start on a busy machine. */
const LOGIN_SECONDS = 20;

export function createNats(stack: PartContext, tools: Tools) {
  const { home, options, ports, secrets } = stack;
  const folder = path.join(home, 'nats');
  const configFile = path.join(folder, 'nats.conf');
  const monitor = ports.parts.natsMonitor;
  const handle = new ManagedProcess(
    {
      name: 'nats',
      order: ORDER.part,
      check: async () => (await statusOf(`http://127.0.0.1:${monitor}/healthz?js-enabled-only=true`)) === 200,
      command: (extraEnv) => {
        fs.mkdirSync(folder, { recursive: true });
        const values = {
          port: ports.parts.nats,
          monitor,
          store: folder,
          syncInterval: options.nats?.syncInterval,
          password: secrets.natsPassword,
        };
        writePrivate(configFile, natsConfig(values));
        const command = commandOf(tools, 'nats-server', { home, part: 'nats', mounts: [folder] });
        return {
          file: command.file,
          args: [...command.args, '-c', configFile],
          env: { PATH: process.env.PATH ?? '', ...command.env, ...extraEnv },
        };
      },
    },
    stack,
  );
  return { handle, url: natsUrl(ports.parts.nats, secrets.natsPassword) };
}

interface NatsValues {
  port: number;
  monitor: number;
  store: string;
  password: string;
  /**
   * `always` (the default here) acknowledges a message after fsync: 2,500 messages a second on our machine, and a power failure loses none.
   * A duration such as `2m` is NATS's own default and is faster.
   */
  syncInterval?: string | undefined;
}

export function natsConfig({ port, monitor, store, password, syncInterval = 'always' }: NatsValues): string {
  return `# Written at each start.
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitor}"
max_payload: 1MB
authorization { user: ${USER}, password: ${JSON.stringify(password)}, timeout: ${LOGIN_SECONDS} }
jetstream {
  store_dir: ${JSON.stringify(store)}
  sync_interval: ${syncInterval}
}
`;
}

export const natsUrl = (port: number, password?: string) => `nats://${password ? `${USER}:${password}@` : ''}127.0.0.1:${port}`;

/**
 * Connection options for nats.js, which ignores a user in the URL.
 * @param url one server
 */
export function natsOptions(url: string) {
  const { host, username, password } = new URL(url);
  return { servers: `nats://${host}`, ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}) };
}
