import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isWithin, parseVersion } from './context.ts';
import { cleanBase, databaseUrl } from './environment.ts';
import type { PartContext } from './options.ts';
import { externalParts } from './parts/external.ts';
import { EVENTS, livekitConfig } from './parts/livekit.ts';
import { createNats, natsConfig, natsUrlOf } from './parts/nats.ts';
import type { Tools } from './parts/obtain.ts';
import { createRedis, redisUrlOf } from './parts/redis.ts';
import { createS3, s3Environment } from './parts/s3.ts';
import { layOut } from './ports.ts';
import type { Secrets } from './secrets.ts';

const TOOLS: Tools = { how: 'PATH', version: '7.0.15', where: '/bin', tool: (name, ...args) => ({ file: `/bin/${name}`, args, env: {} }) };

/** NATS, Redis and S3 share one port. */
function partContext(home: string, secrets: Secrets): PartContext {
  const parts = { ...layOut(4711, []).parts, nats: 4711, redis: 4711, s3: 4711 };
  return {
    home,
    secrets,
    owner: 'me',
    signal: undefined,
    options: {},
    gatewayPort: 8080,
    ports: { gateway: 8080, base: 4711, probes: {}, parts },
  };
}

describe('the environment of an app', () => {
  test('contains only the permitted variables of the caller', () => {
    const env = cleanBase({
      PATH: '/bin',
      HOME: '/h',
      AWS_SECRET_ACCESS_KEY: 'x',
      NODE_OPTIONS: '-r x',
      OTEL_TRACES_EXPORTER: 'none',
      LOG_LEVEL: 'debug',
      FAILPOINTS: 'a=crash',
      CLOCK: 'controlled',
      TZ: 'Asia/Tokyo',
    });
    expect(env).toEqual({
      PATH: '/bin',
      HOME: '/h',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      OTEL_TRACES_EXPORTER: 'none',
      LOG_LEVEL: 'debug',
      FAILPOINTS: 'a=crash',
      CLOCK: 'controlled',
    });
  });

  test('has its own database role, and its own user and database in Redis', () => {
    expect(databaseUrl('postgres://postgres:root@127.0.0.1:5000/classroom', 'room', 'pw')).toBe(
      'postgres://classroom_room:pw@127.0.0.1:5000/classroom',
    );
    const passwords = { redisPassword: 'all', redisPasswords: { room: 'own' } };
    expect(redisUrlOf('room', 'redis://:all@127.0.0.1:5003/7', 2, passwords)).toBe('redis://room:own@127.0.0.1:5003/2');
    for (const url of ['redis://127.0.0.1:5003', 'redis://:pw@127.0.0.1:5003', 'redis://someone:all@127.0.0.1:5003'])
      expect(redisUrlOf('room', url, 0, passwords)).toBe(`${url}/0`);
  });
});

describe('configurations', () => {
  const values = {
    port: 1,
    udpPort: 2,
    tcpPort: 0,
    redisUrl: 'redis://:pw@127.0.0.1:3/0',
    key: 'k',
    secret: 's',
    webhookUrls: ['http://127.0.0.1:4/a', 'http://127.0.0.1:4/b'],
  };

  test('keep LiveKit on loopback, logging no participants, creating no rooms by itself and sending only the events that we use', () => {
    const config = livekitConfig(values);
    expect(config.bind_addresses).toEqual(['127.0.0.1']);
    expect(config.logging.level).toBe('fatal');
    expect(config.room).toEqual({ auto_create: false });
    expect(config.api).toEqual({ enable_psrpc_for_get_list_participants: true });
    expect(config.redis).toEqual({ address: '127.0.0.1:3', db: 1, password: 'pw' });
    expect(config.webhook.urls).toEqual(values.webhookUrls);
    expect(config.webhook.resource_url_notifier).toEqual({ max_age: '5m' });
    expect(config.rtc).toMatchObject({ node_ip: '127.0.0.1', tcp_port: 0, enable_loopback_candidate: true });
    expect(EVENTS.every((event) => /^(room|participant|egress)_|^track_published$/.test(event))).toBe(true);
  });

  test('let a public LiveKit receive media on every address, with its API still on loopback', () => {
    const { bind_addresses: api, rtc } = livekitConfig({ ...values, tcpPort: 3, nodeIp: '203.0.113.7' });
    expect(api).toEqual(['127.0.0.1']);
    expect(rtc).toEqual({ udp_port: 2, tcp_port: 3, use_external_ip: false, node_ip: '203.0.113.7', stun_servers: [] });
  });

  test('make NATS sync always', () => {
    const base = { port: 1, monitor: 2, store: '/x "y"', passwords: {} };
    expect(natsConfig(base)).toContain('sync_interval: always');
    expect(natsConfig(base)).toContain('store_dir: "/x \\"y\\""');
  });

  test('give each app its own user, except of an external NATS', () => {
    const passwords = { natsPassword: 'all', natsPasswords: { room: 'own' } };
    expect(natsUrlOf('room', 'nats://operator:all@127.0.0.1:4711', passwords)).toBe('nats://room:own@127.0.0.1:4711');
    for (const url of ['nats://nats.example:4222', 'nats://operator:theirs@nats.example:4222', 'nats://a:4222,nats://b:4222'])
      expect(natsUrlOf('room', url, passwords)).toBe(url);
    expect(natsConfig({ port: 1, monitor: 2, store: '/x', passwords: { room: 'a "b"' } })).toMatch(/user: room\n\s+password: "a \\"b\\""/);
  });
});

describe('passwords of the parts', () => {
  const secrets = {
    natsPassword: 'hidden',
    natsPasswords: { room: 'hidden too' },
    redisPassword: 'hidden',
    redisPasswords: {},
  } as unknown as Secrets;

  test.each([
    {
      part: 'NATS',
      create: createNats,
      file: 'nats/nats.conf',
      expected: '{ user: operator, password: "hidden" }',
      url: 'nats://operator:hidden@127.0.0.1:4711',
    },
    { part: 'Redis', create: createRedis, file: 'redis/redis.conf', expected: 'requirepass hidden', url: 'redis://:hidden@127.0.0.1:4711' },
  ])("include $part's in its address and in a private file, and on no command line", ({ create, file, expected, url }) => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-parts-'));
    try {
      fs.mkdirSync(path.dirname(path.join(home, file)));
      fs.writeFileSync(path.join(home, file), 'of an earlier version', { mode: 0o644 });
      const part = create(partContext(home, secrets), TOOLS);
      expect(part.handle.spec.command({}).args.join(' ')).not.toContain('hidden');
      expect(part.url).toBe(url);
      expect(fs.readFileSync(path.join(home, file), 'utf8')).toContain(expected);
      expect(fs.statSync(path.join(home, file)).mode & 0o777).toBe(0o600);
    } finally {
      fs.rmSync(home, { recursive: true });
    }
  });
});

describe('object storage', () => {
  const secrets = {
    s3AccessKeyId: 'KEY',
    s3SecretAccessKey: 'hidden',
    s3Secrets: { recording: 'own', egress: 'third' },
  } as unknown as Secrets;

  test('keeps its secret off the command line', () => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-s3-'));
    try {
      const { handle, url } = createS3(partContext(home, secrets), TOOLS);
      const { args, env } = handle.spec.command({});
      expect(url).toBe('http://127.0.0.1:4711');
      expect(args).toContain('127.0.0.1:4711');
      expect(args.join(' ')).not.toContain('hidden');
      expect(env).toMatchObject({ ROOT_ACCESS_KEY: 'KEY', ROOT_SECRET_KEY: 'hidden' });
      expect(fs.readdirSync(path.join(home, 's3', 'buckets'))).toEqual(['classroom']);
      const users = path.join(home, 's3', 'users', 'users.json');
      expect(JSON.parse(fs.readFileSync(users, 'utf8'))).toMatchObject({ accessAccounts: { recording: { secret: 'own', role: 'user' } } });
      expect(fs.statSync(users).mode & 0o777).toBe(0o600);
    } finally {
      fs.rmSync(home, { recursive: true });
    }
  });

  test('is configured for an app in the same way whether it is ours or external', () => {
    const urls = { s3: 'http://in', s3Public: 'http://out' };
    expect(s3Environment('recording', urls, secrets)).toEqual({
      S3_ENDPOINT: 'http://in',
      S3_PUBLIC_URL: 'http://out',
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'classroom',
      S3_ACCESS_KEY_ID: 'recording',
      S3_SECRET_ACCESS_KEY: 'own',
      EGRESS_S3_ACCESS_KEY_ID: 'egress',
      EGRESS_S3_SECRET_ACCESS_KEY: 'third',
    });
    const env = {
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'school',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 's',
      S3_REGION: 'eu-central-1',
    };
    const { s3 } = externalParts({}, env);
    expect(s3).toMatchObject({ url: 'https://s3.example', publicUrl: 'https://s3.example', key: 'k', secret: 's' });
    expect(s3 && s3Environment('recording', { s3: s3.url, s3Public: s3.publicUrl }, secrets, s3)).toMatchObject({
      S3_ACCESS_KEY_ID: 'KEY',
      S3_BUCKET: 'school',
      S3_REGION: 'eu-central-1',
    });
    expect(() => externalParts({}, { S3_ENDPOINT: 'https://s3.example' })).toThrow(/set all four, or none/);
    expect(externalParts({ external: false }, env)).toEqual({});
  });
});

describe('versions', () => {
  test.each([
    ['postgres (PostgreSQL) 18.4 (Debian 18.4-1)', [18, 4]],
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', [7, 0, 15]],
    ['nats-server: v2.15.2', [2, 15, 2]],
    ['livekit-server version 1.13.5', [1, 13, 5]],
    ['Version  : v1.8.0\nBuild    : norev\nBuildTime: none', [1, 8, 0]],
    ['no version', undefined],
  ])('%s', (text, expected) => {
    expect(parseVersion(text)).toEqual(expected);
  });

  test('a range includes its lower end and excludes its upper', () => {
    const range = { min: '2.12.0', below: '3.0.0' };
    expect(['2.9.10', '2.12.0', '2.15.2', '3.0.0', 'x'].map((it) => isWithin(it, range))).toEqual([false, true, true, false, false]);
  });
});
