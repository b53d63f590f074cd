import * as contracts from '@classroom/contracts';
import { CONSUMERS, STREAMS, type EventContract, type RpcContract } from '@classroom/contracts';
import { eventually, redisOf, RunningStack } from '@classroom/testing';
import type { Attack, HostileScene } from './scene.js';
import { NatsWire, RedisWire } from './wire.js';

const ME = 'media';

const members = Object.values(contracts as Record<string, unknown>).flatMap((it) =>
  it !== null && typeof it === 'object' ? [it as object, ...(Object.values(it) as object[])] : [],
);
const has = <T>(field: string) => members.filter((it) => it !== null && typeof it === 'object' && field in it) as T[];
const sorted = (subjects: Iterable<string>) => [...new Set(subjects)].sort();

const FOREIGN_CALLS = sorted(
  has<RpcContract>('callers')
    .filter(({ callers }) => !callers.includes(ME))
    .map(({ subject }) => subject),
);
const FOREIGN_FACTS = sorted(
  has<EventContract>('watchers')
    .filter(({ service }) => service !== ME)
    .map(({ subjectPrefix }) => `${subjectPrefix}.p00`),
);

/** The worker's connection to NATS, with its own user and password. */
async function natsOf(scene: HostileScene, user: string = ME): Promise<NatsWire> {
  const { ports, secrets } = scene.stack;
  const passwords = secrets['natsPasswords'] as unknown as Record<string, string>;
  return NatsWire.open(ports.parts['nats'] ?? 0, user, passwords[ME] ?? '');
}

/** Asserts that every one of these subjects is refused to the worker. */
const expectRefused = (attempt: 'publish' | 'subscribe', subjectsOf: () => string[]): Attack => {
  return async (scene) => {
    const nats = await natsOf(scene);
    const subjects = sorted(subjectsOf());
    expect(subjects.length).toBeGreaterThan(0);
    expect(sorted(await nats[attempt](subjects))).toEqual(subjects);
    scene.inspect(attempt, nats.received);
    nats.end();
  };
};

/** Postgres with the worker's own role. */
function roleOf({ stack }: HostileScene): RunningStack {
  const url = new URL(stack.urls.postgresAdmin);
  url.username = `classroom_${ME}`;
  url.password = (stack.secrets['databasePasswords'] as unknown as Record<string, string>)[ME] ?? '';
  const { home, urls, secrets, ports } = stack;
  return new RunningStack({ home, urls: { ...urls, postgresAdmin: url.href }, secrets, ports });
}

/** The commands that read all of a value of Redis, by its type. */
const READ: Record<string, string[]> = { hash: ['HGETALL'], set: ['SMEMBERS'], list: ['LRANGE'], zset: ['ZRANGE'], stream: ['XRANGE'] };
const RANGE: Record<string, string[]> = { list: ['0', '-1'], zset: ['0', '-1'], stream: ['-', '+'] };

/** A media worker decodes files of strangers. Its credentials are its NATS user, its database role, and Redis. */
export const WORKER: Record<string, Attack> = {
  'cannot call the operations of others': expectRefused('publish', () => FOREIGN_CALLS),

  'cannot publish the facts of others': expectRefused('publish', () => FOREIGN_FACTS),

  'cannot forge LiveKit’s webhooks behind the gateway': expectRefused('publish', () =>
    ['room.finished', 'participant.joined', 'participant.left', 'egress.ended', 'track.published'].map((event) => `livekit.${event}.p00`),
  ),

  'hears nothing while the schools work': async (scene) => {
    const nats = await natsOf(scene);
    const subjects = sorted([
      '>',
      '*.>',
      'evt.>',
      'rpc.>',
      'livekit.>',
      'dlq.>',
      '_INBOX.>',
      '_INBOX.gateway.>',
      '_STREAM.>',
      '$JS.>',
      '$SYS.>',
    ]);
    expect(sorted(await nats.subscribe(subjects))).toEqual(subjects);
    let done = 0;
    await eventually(async () => {
      done += await scene.observe();
      expect(done).toBeGreaterThan(20);
    });
    expect(nats.received).not.toMatch(/^MSG /m);
    scene.inspect('subscriptions', nats.received);
    nats.end();
  },

  'cannot read the consumers of others, stored messages or dead letters': expectRefused('publish', () => [
    ...Object.values(CONSUMERS)
      .filter(({ service }) => (service as string) !== ME)
      .flatMap(({ stream, durable }) => [
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
        `dlq.${stream}.${durable}`,
      ]),
    ...Object.values(STREAMS).flatMap(({ name }) => [
      `$JS.API.STREAM.MSG.GET.${name}`,
      `$JS.API.DIRECT.GET.${name}`,
      `$JS.API.CONSUMER.CREATE.${name}.spy`,
      `$JS.API.CONSUMER.DURABLE.CREATE.${name}.spy`,
    ]),
  ]),

  'cannot empty, change, copy or delete a stream': expectRefused('publish', () =>
    Object.values(STREAMS).flatMap(({ name }) =>
      ['CREATE', 'UPDATE', 'PURGE', 'DELETE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`),
    ),
  ),

  'cannot move the clock of all processes, nor answer in the name of others': expectRefused('publish', () => [
    contracts.CLOCK_SUBJECT,
    '_INBOX.gateway.guessed',
    '_INBOX.billing.guessed',
    '_STREAM.gateway.guessed',
    '$SYS.REQ.SERVER.PING',
  ]),

  'cannot log in to NATS as another app': async (scene) => {
    for (const user of ['operator', 'gateway', 'billing', 'room', 'admin', '']) {
      const nats = await natsOf(scene, user);
      expect([user, nats.received]).toEqual([user, expect.stringMatching(/-ERR 'Authorization Violation'/)]);
      nats.end();
    }
  },

  'cannot read or change a table of another schema': async (scene) => {
    const role = roleOf(scene);
    const tables = await scene.stack.rows<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_schema IN ('organization', 'room', 'billing', 'recording', 'ai') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables)
      for (const sql of [`SELECT * FROM ${name} LIMIT 1`, `DELETE FROM ${name}`, `INSERT INTO ${name} DEFAULT VALUES`])
        await expect(role.rows(sql)).rejects.toThrow(/permission denied/);
  },

  'cannot become more than its role in Postgres': async (scene) => {
    const role = roleOf(scene);
    const attempts = [
      'SET ROLE postgres',
      'SET ROLE classroom_billing',
      'SET SESSION AUTHORIZATION postgres',
      'ALTER ROLE classroom_media SUPERUSER',
      'ALTER ROLE classroom_media CREATEROLE',
      'CREATE ROLE spy',
      'GRANT classroom_billing TO classroom_media',
      'CREATE SCHEMA spy',
      'CREATE TABLE public.spy (a int)',
      'CREATE TABLE media.spy (a int)',
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `COPY (SELECT 1) TO '/tmp/spy'`,
      `SELECT pg_read_file('/etc/passwd')`,
      `SELECT lo_import('/etc/passwd')`,
      'SELECT * FROM pg_authid',
      'ALTER SYSTEM SET log_statement = none',
      'SELECT pg_reload_conf()',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'classroom_room'`,
      'DROP SCHEMA media CASCADE',
    ];
    for (const sql of attempts) await expect(role.rows(sql).then(() => sql)).rejects.toThrow(/permission denied|must be|only|not allowed/i);
    // What others run is not shown either.
    const seen = await role.rows<{ query: string }>(`SELECT query FROM pg_stat_activity WHERE usename <> current_user AND query <> ''`);
    expect(new Set(seen.map(({ query }) => query))).toEqual(new Set(seen.length > 0 ? ['<insufficient privilege>'] : []));
  },

  'reads and changes nothing in Redis beyond its own queue': async (scene) => {
    const redis = await RedisWire.open(redisOf(scene.stack, ME));
    const attempts = [
      ['KEYS', '*'],
      ['FLUSHALL'],
      ['CONFIG', 'GET', '*'],
      ['ACL', 'LIST'],
      ['GET', 'bull:credit-rollup:meta'],
      ['DEL', 'bull:webhook-delivery:wait'],
      ['EVAL', 'return redis.call("KEYS", "*")', '0'],
    ];
    for (const attempt of attempts) expect(await redis.command(...attempt)).toMatch(/NOPERM|can't run this command/);
    expect(await redis.command('HGETALL', 'bull:transcoding:meta')).not.toMatch(/NOPERM/);
    redis.end();
  },

  'finds nothing readable of a school in Redis even with all rights, and deletes nothing there that a school misses': async (scene) => {
    const { api, roomId } = scene.neighbours[0] ?? {};
    const key = { 'Idempotency-Key': 'canary-key' };
    const join = () =>
      api?.post(`/v1/room/${roomId}/join`, { participant: { uid: 'student-1', name: 'canary student', role: 'STUDENT' } }, key);
    await join();
    let keys = 0;
    for (const db of [0, 1, 2]) {
      const redis = await RedisWire.open(`${scene.stack.urls.redis}/${db}`);
      for (const name of await redis.list('KEYS', '*')) {
        keys += 1;
        const [kind = ''] = /\w+/.exec(await redis.command('TYPE', name)) ?? [];
        scene.inspect(`Redis ${db} ${name}`, name + (await redis.command(...(READ[kind] ?? ['GET']), name, ...(RANGE[kind] ?? []))));
      }
      redis.end();
    }
    expect(keys).toBeGreaterThan(0);
    const redis = await RedisWire.open(`${scene.stack.urls.redis}/0`);
    await redis.command('FLUSHALL');
    redis.end();
    expect((await join())?.status).toBe(200);
  },
};
