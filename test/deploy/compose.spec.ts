import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORAGE_ACCESS } from '@classroom/storage';
import { readTable } from './support/chart.js';
import { readConfig, unknownTo } from './support/configuration.js';
import { readYaml, REPO, run } from './support/programs.js';

jest.setTimeout(120_000);

const USERS = Object.keys(STORAGE_ACCESS);

interface Service {
  image: string;
  build?: { dockerfile: string; args: { APP: string } };
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  command?: string[];
  entrypoint?: string[];
  networks?: string[] | Record<string, { aliases?: string[] }>;
  network_mode?: string;
  ports?: string[];
  [key: string]: unknown;
}

let text: string;
let services: Record<string, Service>;
let env: Record<string, string>;

beforeAll(async () => {
  text = readFileSync(join(REPO, 'docker-compose.yml'), 'utf8');
  const { documents, errors } = await readYaml<{ services: Record<string, Service> }>(text);
  expect(errors).toEqual([]);
  services = documents[0]?.services ?? {};
  const folder = mkdtempSync(join(tmpdir(), 'classroom-compose-'));
  try {
    env = await writeEnvironment(join(folder, '.env'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function writeEnvironment(file: string): Promise<Record<string, string>> {
  const { code, stderr } = await run(process.execPath, [join(REPO, 'deploy', 'compose', 'env.js'), file]);
  expect([code, stderr]).toEqual([0, '']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const first = readFileSync(file, 'utf8');
  await run(process.execPath, [join(REPO, 'deploy', 'compose', 'env.js'), file]);
  expect(readFileSync(file, 'utf8')).toBe(first);
  return Object.fromEntries(
    first
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  ) as Record<string, string>;
}

const interpolated = (value: string) => value.replaceAll(/\$\{(\w+):\?\}/g, (_all, name: string) => env[name] ?? `missing ${name}`);

const ours = () => Object.entries(services).filter(([name]) => services[name]?.build?.args.APP === name);

describe('docker-compose.yml', () => {
  it('has every app', async () => {
    expect(
      ours()
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(await readTable()).sort());
  });

  it('gives each app the variables that its config.ts requires, and no unknown ones', () => {
    for (const [app, { environment = {} }] of ours()) {
      const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value)]));
      expect(() => readConfig(app, given)).not.toThrow();
      expect([app, unknownTo(app, Object.keys(given))]).toEqual([app, []]);
      expect(given['SERVICE_NAME']).toBe(app);
    }
  });

  it('limits the size of streams', () => {
    expect(interpolated(services['streams']?.environment?.['NATS_STREAM_STORAGE_MIB'] ?? '')).toMatch(/^[1-9]\d{3,}$/);
  });

  it('answers 404 at its proxy to what is for operators and services', () => {
    const closed = interpolated(services['caddy']?.environment?.['CLOSED_PATHS'] ?? '').split(' ');
    expect(closed).toEqual(
      expect.arrayContaining(['/v1/admin/*', '/docs/operators*', '/openapi.internal.json', '/livekit/*', '/recording']),
    );
    expect(readFileSync(join(REPO, 'deploy', 'compose', 'Caddyfile'), 'utf8')).toMatch(
      /@closed path \{\$CLOSED_PATHS\}\n\thandle @closed \{\n\t\trespond 404/,
    );
  });

  it('takes every secret and address from .env, which contains them all, and has no defaults', () => {
    const used = [...text.matchAll(/(?<!\$)\$\{?(\w+)([^}\s]*)/g)].map(([, name = '', rest]) => ({ name, rest }));
    expect(used.filter(({ rest }) => rest !== ':?')).toEqual([]);
    expect([...new Set(used.map(({ name }) => name))].sort()).toEqual(Object.keys(env).sort());
  });

  it('connects each app to NATS with its own user', () => {
    const passwords = services['nats']?.environment ?? {};
    for (const [app, { environment = {} }] of ours()) {
      const { username, password } = new URL(interpolated(environment['NATS_URL'] ?? ''));
      expect([app, username, password]).toEqual([app, app, interpolated(passwords[`NATS_${app.toUpperCase()}_PASSWORD`] ?? '')]);
    }
    expect(new Set(Object.values(passwords)).size).toBe(9);
  });

  it('connects each app to Redis with its own user, and keeps the cache apart from the jobs', () => {
    for (const [app, { environment = {} }] of ours()) {
      for (const url of [environment['REDIS_URL'], environment['CACHE_REDIS_URL']].flatMap((it) =>
        it ? [new URL(interpolated(it))] : [],
      )) {
        const { entrypoint = [], environment: given = {} } = services[url.hostname] ?? {};
        const users = readFileSync(join(REPO, 'deploy', 'redis', entrypoint.at(-1) ?? ''), 'utf8');
        expect([app, url.username, users.includes(`user ${app} on >$REDIS_${app.toUpperCase()}_PASSWORD `)]).toEqual([app, app, true]);
        expect(interpolated(given[`REDIS_${app.toUpperCase()}_PASSWORD`] ?? '')).toBe(url.password);
        expect(url.hostname).toBe(app === 'gateway' ? 'redis-cache' : 'redis');
      }
    }
    expect(services['redis-cache']?.command).toEqual(expect.arrayContaining(['--maxmemory', '256mb', 'volatile-ttl']));
  });

  it.each(['redis', 'redis-cache'])('starts %s with the passwords of its users, in a file of its own', async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'classroom-redis-'));
    try {
      writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\necho "$@"', { mode: 0o755 });
      const { environment = {}, command = [], entrypoint = [] } = services[name] ?? {};
      const variables = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, interpolated(value)]));
      const args = [join(REPO, 'deploy', 'redis', 'start.sh'), ...entrypoint.slice(2), ...command];
      const { code, stdout, stderr } = await run('/bin/sh', args, {
        env: { ...variables, PATH: `${folder}:${process.env['PATH']}`, CONFIG_FOLDER: folder },
      });
      expect([code, stderr, stdout.trim()]).toEqual([0, '', [join(folder, 'redis.conf'), ...command].join(' ')]);
      const config = readFileSync(join(folder, 'redis.conf'), 'utf8');
      expect(statSync(join(folder, 'redis.conf')).mode & 0o777).toBe(0o600);
      expect(config).toContain(`requirepass ${variables['REDIS_PASSWORD']}\n`);
      const passwords = [...config.matchAll(/^user (\w+) on >(\w+) /gm)].map(([, user = '', password]) => [
        `REDIS_${user.toUpperCase()}_PASSWORD`,
        password,
      ]);
      expect(passwords.length).toBe(Object.keys(variables).length - 2);
      expect(variables).toMatchObject(Object.fromEntries(passwords) as object);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('gives each app that uses the storage a key of its own, and Egress another', () => {
    const { environment: given = {} } = services['s3'] ?? {};
    const secrets = Object.fromEntries(USERS.map((user) => [user, interpolated(given[`S3_SECRET_${user}`] ?? '')]));
    for (const [app, { environment = {} }] of ours()) {
      if (!environment['S3_ENDPOINT']) continue;
      const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret = '' } = environment;
      expect([app, id, interpolated(secret)]).toEqual([app, app, secrets[app]]);
    }
    const { EGRESS_S3_ACCESS_KEY_ID: id, EGRESS_S3_SECRET_ACCESS_KEY: secret = '' } = services['recording']?.environment ?? {};
    expect([id, interpolated(secret)]).toEqual(['egress', secrets['egress']]);
    expect(new Set([...Object.values(secrets), env['S3_SECRET_ACCESS_KEY']]).size).toBe(USERS.length + 1);
  });

  it('gives Egress a key of LiveKit that signs no join token and no webhook', async () => {
    const configOf = async <T>(service: string, variable: string) =>
      (await readYaml<T>(interpolated(services[service]?.environment?.[variable] ?? ''))).documents[0];
    const livekit = await configOf<{ keys: Record<string, string>; webhook: { api_key: string } }>('livekit', 'LIVEKIT_CONFIG');
    const egress = await configOf<{ api_key: string; api_secret: string }>('egress', 'EGRESS_CONFIG_BODY');
    expect([livekit?.webhook.api_key, egress?.api_key]).toEqual([env['LIVEKIT_API_KEY'], env['EGRESS_LIVEKIT_API_KEY']]);
    expect(livekit?.keys).toEqual(
      Object.fromEntries(['LIVEKIT', 'EGRESS_LIVEKIT'].map((key) => [env[`${key}_API_KEY`], env[`${key}_API_SECRET`]])),
    );
    for (const [app, { environment = {} }] of ours()) {
      const values = Object.values(environment).map((value) => interpolated(value));
      expect([app, values.includes(env['EGRESS_LIVEKIT_API_SECRET'] ?? '')]).toEqual([app, false]);
    }
  });

  it('starts the storage with these keys and the policy of the bucket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'classroom-s3-'));
    try {
      writeFileSync(join(folder, 'versitygw'), '#!/bin/sh\necho "$@"', { mode: 0o755 });
      const { environment = {}, command = [] } = services['s3'] ?? {};
      const variables = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolated(value)]));
      const { code, stdout } = await run('/bin/sh', [join(REPO, 'deploy', 's3', 'start.sh'), ...command], {
        env: { ...variables, PATH: `${folder}:${process.env['PATH']}`, DATA_FOLDER: folder },
      });
      expect([code, stdout.trim()]).toEqual([0, command.join(' ')]);
      const { accessAccounts } = JSON.parse(readFileSync(join(folder, 'users', 'users.json'), 'utf8')) as { accessAccounts: object };
      const account = (user: string) => ({ access: user, secret: env[`${user.toUpperCase()}_S3_SECRET`], role: 'user' });
      expect(accessAccounts).toEqual(Object.fromEntries(USERS.map((user) => [user, account(user)])));
      expect(readFileSync(join(folder, 'metadata', 'classroom', 'meta', 'policy'))).toEqual(
        readFileSync(join(REPO, 'deploy', 's3', 'bucket-policy.json')),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('serves other machines with TLS alone, apart from LiveKit’s media', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'classroom-compose-'));
    try {
      const file = join(folder, '.env');
      const script = join(REPO, 'deploy', 'compose', 'env.js');
      await run(process.execPath, [script, file]);
      const before = readFileSync(file, 'utf8');
      const { code } = await run(process.execPath, [script, file, '--host', 'class.school.example', '--address', '203.0.113.7']);
      const values = Object.fromEntries(
        readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s)),
      ) as Record<string, string>;
      expect([code, values]).toEqual([
        0,
        expect.objectContaining({
          CLASSROOM_URL: 'https://class.school.example',
          LIVEKIT_PUBLIC_URL: 'wss://livekit.class.school.example',
          S3_PUBLIC_URL: 'https://files.class.school.example',
          LIVEKIT_ADDRESSES: 'node_ip: 203.0.113.7',
          BIND_ADDRESS: '127.0.0.1',
          COMPOSE_PROFILES: 'tls',
        }),
      ]);
      for (const name of ['POSTGRES_PASSWORD', 'DISPATCH_SECRET']) expect(before).toContain(`${name}=${values[name]}\n`);
      const half = await run(process.execPath, [script, file, '--host', 'class.school.example']);
      expect([half.code, half.stderr]).toEqual([1, 'Give both --host and --address, or neither.\n']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('lets LiveKit and Egress reach neither Postgres nor NATS, unless the recorder, which needs NATS, shares their network', () => {
    const networksOf = (name: string): string[] => {
      const { network_mode: mode, networks = ['default'] } = services[name] ?? {};
      return mode ? networksOf(mode.replace('service:', '')) : Array.isArray(networks) ? networks : Object.keys(networks);
    };
    expect(networksOf('egress')).toEqual(['media']);
    const reached = Object.keys(services).filter((name) => !services[name]?.['profiles'] && networksOf(name).includes('media'));
    expect(reached.sort()).toEqual(['egress', 'gateway', 'livekit', 'media-network', 'otel-collector', 'recording', 'redis', 'room', 's3']);
    expect(networksOf('recorder-nats')).toEqual(['default', 'media']);
    expect(services['recorder-nats']?.['profiles']).toEqual(services['recorder']?.['profiles']);
  });

  it('lets no app read logs and traces, which are published on this machine at most', () => {
    for (const name of ['tempo', 'loki', 'grafana']) expect([name, services[name]?.networks]).toEqual([name, ['observability']]);
    const reached = Object.keys(services).filter((name) => (services[name]?.networks as string[] | undefined)?.includes?.('observability'));
    expect(reached.sort()).toEqual(['grafana', 'loki', 'otel-collector', 'prometheus', 'tempo']);
    for (const name of reached)
      expect([name, services[name]?.ports ?? []]).toEqual([
        name,
        (services[name]?.ports ?? []).filter((port) => port.startsWith('127.0.0.1:')),
      ]);
  });

  it('lets NATS be monitored within its container alone', () => {
    expect(readFileSync(join(REPO, 'deploy', 'compose', 'nats.conf'), 'utf8')).toContain('\nhttp: "127.0.0.1:8222"\n');
    expect(services['nats']?.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:8222/');
  });

  it('leaves Egress and the recorder their network when LiveKit restarts: none of the three owns it', () => {
    const shared = ['livekit', 'egress', 'recorder'].map((name) => services[name]?.network_mode);
    expect(new Set(shared)).toEqual(new Set(['service:media-network']));
    expect(services['media-network']?.networks).toEqual({ media: { aliases: ['livekit', 'recorder'] } });
  });

  it('waits for Postgres on the address that others use, on which its first start does not listen', () => {
    expect(services['postgres']?.healthcheck?.test.join(' ')).toContain('pg_isready --host 127.0.0.1');
  });

  it('drops all capabilities and new privileges, and writes to volumes only, except in Egress and Grafana', () => {
    const open = Object.entries(services).flatMap(([name, service]) => {
      const isHardened =
        JSON.stringify([service['cap_drop'], service['security_opt']]) === '[["ALL"],["no-new-privileges:true"]]' && !service['privileged'];
      return [...(isHardened ? [] : [`${name}: privileges`]), ...(service['read_only'] ? [] : [`${name}: files`])];
    });
    expect(open.sort()).toEqual(['egress: files', 'egress: privileges', 'grafana: files']);
  });

  it('pins every image to a version', () => {
    const images = Object.values(services).map(({ image }) => image);
    expect(images.filter((image) => !/^[\w./-]+:v?[0-9][\w.-]*$|^virtual-classroom\/\w+:local$/.test(image))).toEqual([]);
    expect(images.filter((image) => image.startsWith('virtual-classroom/')).length).toBe(
      Object.values(services).filter(({ build }) => build).length,
    );
  });

  it('starts an app after its dependencies are healthy and its migrations have run', () => {
    for (const [app, { environment = {}, depends_on: dependsOn = {}, healthcheck }] of ours()) {
      expect([app, healthcheck?.test.join(' ')]).toEqual([app, expect.stringContaining('/readyz')]);
      const needs = Object.entries({
        NATS_URL: 'nats',
        DATABASE_URL: 'postgres',
        REDIS_URL: 'redis',
        CACHE_REDIS_URL: 'redis-cache',
        S3_ENDPOINT: 's3',
      }).filter(([name]) => environment[name]);
      for (const [, part] of needs) expect([app, part, dependsOn[part]?.condition]).toEqual([app, part, 'service_healthy']);
      expect([app, dependsOn['streams']?.condition]).toEqual([app, 'service_completed_successfully']);
      if (environment['DATABASE_URL'])
        expect([app, dependsOn[`migrate-${app}`]?.condition]).toEqual([app, 'service_completed_successfully']);
    }
  });

  it('waits only for services that have a healthcheck or exit', () => {
    for (const [name, { depends_on: dependsOn = {} }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(dependsOn)) {
        const dependency = services[other];
        const isKept = condition === 'service_healthy' ? dependency?.healthcheck !== undefined : dependency?.['restart'] === 'no';
        expect([name, other, isKept]).toEqual([name, other, true]);
      }
    }
  });

  it('mounts existing files, and publishes ports on this machine only', () => {
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./deploy/'));
    for (const volume of mounted) expect(() => statSync(join(REPO, volume.split(':')[0] ?? ''))).not.toThrow();
    const open = Object.values(services)
      .filter(({ profiles }) => JSON.stringify(profiles) !== '["tls"]')
      .flatMap(({ ports = [] }) => ports)
      .map(interpolated);
    expect(open.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('has readable configurations of its dependencies, LiveKit and Egress', async () => {
    const { livekit, egress } = services;
    for (const body of [livekit?.environment?.['LIVEKIT_CONFIG'], egress?.environment?.['EGRESS_CONFIG_BODY']]) {
      const { documents, errors } = await readYaml<Record<string, unknown>>(interpolated(body ?? ''));
      const password = env['LIVEKIT_REDIS_PASSWORD'];
      expect([errors, documents[0]?.['redis']]).toEqual([[], { address: 'redis:6379', db: 1, username: 'livekit', password }]);
    }
    for (const file of ['otel-collector.yaml', 'tempo.yaml', 'loki.yaml', 'prometheus.yaml']) {
      expect((await readYaml(readFileSync(join(REPO, 'deploy', 'compose', file), 'utf8'))).errors).toEqual([]);
    }
  });

  it('makes Prometheus scrape every app', async () => {
    const { documents } = await readYaml<any>(readFileSync(join(REPO, 'deploy', 'compose', 'prometheus.yaml'), 'utf8'));
    const [apps] = documents[0].scrape_configs;
    expect([...apps.static_configs[0].targets, 'recorder:9090'].sort()).toEqual(
      ours()
        .map(([name]) => `${name}:9090`)
        .sort(),
    );
  });
});
