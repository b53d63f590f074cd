import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot, REPO, stackCache, unprivilegedUser } from './context.ts';
import { natsConfig, natsUrl } from './parts/nats.ts';
import { obtain } from './parts/obtain.ts';
import { pickPorts } from './ports.ts';
import { type Stack, startParts } from './stack.ts';
import { nodeBinary } from './toolchain.ts';

/** How the apps connect, with their own code. Each prints `connected`, or what refused it. */
const CLIENTS = {
  nats: `require('./libs/messaging/dist/connection.js').connectNats(url, 'room').then(async (it) => { await it.flush(); await it.close(); })`,
  jobs: `(async () => {
    const { redisOptions } = require('./libs/messaging/dist/due-work/job-queue.js');
    const { Redis } = require('./libs/messaging/node_modules/ioredis');
    const client = new Redis({ ...redisOptions(url), lazyConnect: true, retryStrategy: () => null });
    await Promise.race([client.connect(), new Promise((_, refuse) => client.on('error', refuse))]);
    await client.ping();
    client.disconnect();
  })()`,
  cache: `(async () => {
    const { CacheRedis } = require('./apps/gateway/dist/limits/cache-redis.js');
    const cache = new CacheRedis({ CACHE_REDIS_URL: url }, { register: () => undefined });
    cache.limits.on('error', (error) => console.log(error.code ?? ''));
    await cache.onModuleInit();
    // A busy machine takes longer to connect than the gateway waits for its cache.
    const ping = (attempts) => cache.limits.ping().catch((error) => { if (attempts > 1) return ping(attempts - 1); throw error; });
    await ping(20).finally(() => cache.onApplicationShutdown());
  })()`,
  postgres: `require('./libs/persistence/dist/data-source.js').connect({ url, schema: 'public', entities: [] }).then((it) => it.destroy())`,
};
type Client = keyof typeof CLIENTS;

describe('TLS with a certificate authority of our own', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-tls-'));
  const file = (name: string) => path.join(folder, name);
  const children: ChildProcess[] = [];
  let stack: Stack;
  let urls: Record<Client, string>;
  let plainNats: string;
  let elsewhere: string;

  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  function createAuthority(name: string) {
    const args = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`;
    openssl(...args.split(' '), '-addext', 'basicConstraints=critical,CA:TRUE');
  }

  function createCertificate(name: string, host: string) {
    openssl(...`req -newkey rsa:2048 -nodes -subj /CN=${host} -keyout ${name}.key -out ${name}.csr`.split(' '));
    fs.writeFileSync(file('names'), `subjectAltName=DNS:${host}`);
    const authority = '-CA ours.crt -CAkey ours.key -CAcreateserial'.split(' ');
    openssl(...`x509 -req -in ${name}.csr -days 2 -extfile names -out ${name}.crt`.split(' '), ...authority);
  }

  async function launch(part: 'nats' | 'redis', name: string, args: string[]): Promise<void> {
    const { file: program, args: first, env } = (await obtain(part, { cache: stackCache() })).tool(`${part}-server`);
    const log = fs.openSync(file(`${name}.log`), 'a');
    children.push(spawn(program, [...first, ...args], { env: { ...process.env, ...env }, stdio: ['ignore', log, log] }));
  }

  const logOf = (name: string) => fs.readFileSync(file(`${name}.log`), 'utf8');
  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await sleep(50);
  }

  /** @returns what the client prints, until it ends or `isEnough` */
  async function connect(
    client: Client,
    url: string,
    authority: string,
    isEnough: (output: string) => boolean = () => false,
  ): Promise<string> {
    const code = `const url = ${JSON.stringify(url)};
      ${CLIENTS[client]}.then(() => console.log('connected'), (error) => console.log([error, error.cause].map((it) => it?.code).join()));`;
    const child = spawn(nodeBinary(), ['-e', code], {
      cwd: REPO,
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', NODE_EXTRA_CA_CERTS: file(authority), PGSSLMODE: 'verify-full' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    let hasEnded = false;
    child.once('close', () => (hasEnded = true));
    await until(() => hasEnded || isEnough(output));
    child.kill();
    return output.trim();
  }

  beforeAll(async () => {
    createAuthority('ours');
    createAuthority('other');
    createCertificate('server', 'localhost');
    createCertificate('elsewhere', 'elsewhere.example');
    // Postgres accepts its key only if no other user can read it.
    fs.chmodSync(folder, 0o755);
    fs.copyFileSync(file('server.key'), file('postgres.key'));
    fs.chmodSync(file('postgres.key'), 0o600);
    const user = isRoot() ? unprivilegedUser() : undefined;
    if (user) fs.chownSync(file('postgres.key'), user.uid, user.gid);

    const { portBase, gatewayPort, release } = await pickPorts();
    stack = await startParts({
      home: file('home'),
      portBase,
      gatewayPort,
      external: false,
      parts: ['postgres'],
      postgres: { settings: { ssl: 'on', ssl_cert_file: file('server.crt'), ssl_key_file: file('postgres.key') } },
    });
    const { nats, natsMonitor, redis, s3, livekit, media, pgbouncer } = stack.ports.parts;
    const passwords = { operator: 'all', ...stack.secrets.natsPasswords };
    const config = (port: number, monitor: number, store: string) => natsConfig({ port, monitor, store: file(store), passwords });
    const tls = (name: string) => `tls { cert_file: "${file(`${name}.crt`)}", key_file: "${file(`${name}.key`)}" }\n`;
    fs.writeFileSync(file('nats.conf'), config(nats, natsMonitor, 'nats-store') + tls('server'));
    fs.writeFileSync(file('elsewhere.conf'), config(media, pgbouncer, 'elsewhere-store') + tls('elsewhere'));
    fs.writeFileSync(file('plain.conf'), config(s3, livekit, 'plain-store'));
    for (const name of ['plain', 'nats', 'elsewhere']) await launch('nats', name, ['-c', file(`${name}.conf`)]);
    const flags = `--bind 127.0.0.1 --port 0 --tls-port ${redis} --tls-auth-clients no --requirepass pw --dir ${folder}`;
    const files = `--tls-cert-file ${file('server.crt')} --tls-key-file ${file('server.key')} --tls-ca-cert-file ${file('ours.crt')}`;
    await launch('redis', 'redis', `${flags} ${files}`.split(' '));
    await until(() => ['plain', 'nats', 'elsewhere'].every((name) => logOf(name).includes('Server is ready')));
    await until(() => logOf('redis').includes('Ready to accept'));
    release();
    const named = (url: string) => url.replace('127.0.0.1', 'localhost');
    urls = {
      nats: named(natsUrl(nats, 'all')).replace('nats:', 'tls:'),
      jobs: `rediss://:pw@localhost:${redis}/0`,
      cache: `rediss://:pw@localhost:${redis}/1`,
      postgres: named(stack.urls.postgresAdmin),
    };
    plainNats = named(natsUrl(s3, 'all')).replace('nats:', 'tls:');
    elsewhere = named(natsUrl(media, 'all')).replace('nats:', 'tls:');
  });

  afterAll(async () => {
    const ended = children.filter((child) => child.exitCode === null && child.signalCode === null).map((child) => once(child, 'exit'));
    for (const child of children) child.kill();
    // Redis writes its last snapshot into the folder when it ends.
    await Promise.all(ended);
    await stack?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test.each(Object.keys(CLIENTS) as Client[])('%s: the server is accepted', async (client) => {
    expect(await connect(client, urls[client], 'ours.crt')).toBe('connected');
  });

  test.each(['jobs', 'cache', 'postgres'] as const)(
    '%s: a server of another authority, or with another name, is refused',
    async (client) => {
      expect(await connect(client, urls[client], 'other.crt')).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN/);
      expect(await connect(client, urls[client].replace('localhost', '127.0.0.1'), 'ours.crt')).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
    },
  );

  test('nats: a server of another authority, or with another name, is refused', async () => {
    for (const [server, url, authority] of [
      ['nats', urls.nats, 'other.crt'],
      ['elsewhere', elsewhere, 'ours.crt'],
    ] as const) {
      const refusals = () => logOf(server).match(/TLS handshake error/g)?.length ?? 0;
      // The app keeps trying.
      expect(await connect('nats', url, authority, () => refusals() > 2)).toBe('');
    }
  });

  test('nats: a server without TLS gets no password', async () => {
    const attempts = () => logOf('plain').match(/Client connection (created|closed)/g)?.length ?? 0;
    fs.appendFileSync(file('plain.conf'), 'debug: true\n');
    children[0]?.kill('SIGHUP');
    await until(() => /Reloaded: debug/.test(logOf('plain')));
    expect(await connect('nats', plainNats, 'ours.crt', () => attempts() > 3)).toBe('');
    expect(await connect('nats', plainNats.replace('tls:', 'nats:'), 'ours.crt')).toBe('connected');
  });
});
