import fs from 'node:fs';
import path from 'node:path';
import { statusOf } from '../checks.ts';
import { REPO, writePrivate } from '../context.ts';
import type { PartContext } from '../options.ts';
import { partProcess } from '../process.ts';
import type { Secrets } from '../secrets.ts';
import type { Tools } from './obtain.ts';

/** The user who may do everything; the apps have users of their own. */
const OPERATOR = 'operator';
/** The users and their permissions, written by `npm run generate -- users`. */
const USERS = path.join(REPO, 'deploy', 'nats', 'users.conf');

export function createNats(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const folder = path.join(home, 'nats');
  const configFile = path.join(folder, 'nats.conf');
  const monitor = ports.parts.natsMonitor;
  const handle = partProcess(
    'nats',
    {
      check: async () => (await statusOf(`http://127.0.0.1:${monitor}/healthz?js-enabled-only=true`)) === 200,
      command: () => {
        fs.mkdirSync(folder, { recursive: true });
        const values = {
          port: ports.parts.nats,
          monitor,
          store: folder,
          passwords: { operator: secrets.natsPassword, ...secrets.natsPasswords },
        };
        writePrivate(configFile, natsConfig(values));
        return tools.tool('nats-server', '-c', configFile);
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
  /** By user. */
  passwords: Record<string, string>;
}

export function natsConfig({ port, monitor, store, passwords }: NatsValues): string {
  const users = fs
    .readFileSync(USERS, 'utf8')
    .replaceAll(/\$NATS_([A-Z]+)_PASSWORD/g, (_, user: string) => JSON.stringify(passwords[user.toLowerCase()]));
  // `always` acknowledges a message after fsync: 2,500 messages a second on our machine, and a power failure loses none.
  return `# Written at each start.
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitor}"
max_payload: 1MB
${users}jetstream {
  store_dir: ${JSON.stringify(store)}
  sync_interval: always
}
`;
}

export const natsUrl = (port: number, password?: string) => `nats://${password ? `${OPERATOR}:${password}@` : ''}127.0.0.1:${port}`;

/** The address with an app's own user. An external server's address stays as it is. */
export function natsUrlOf(
  app: string,
  url: string,
  { natsPassword, natsPasswords }: Pick<Secrets, 'natsPassword' | 'natsPasswords'>,
): string {
  // Several servers are not one URL.
  const own = URL.canParse(url) ? new URL(url) : undefined;
  if (!own || own.username !== OPERATOR || own.password !== natsPassword) return url;
  own.username = app;
  own.password = natsPasswords[app] ?? '';
  return own.toString();
}

/**
 * Connection options for nats.js, which ignores a user in the URL.
 * @param url one server
 */
export function natsOptions(url: string) {
  const { host, username, password } = new URL(url);
  return { servers: `nats://${host}`, ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}) };
}
