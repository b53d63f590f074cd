'use strict';

const { cleanBase, databaseUrl } = require('./environment');
const { livekitConfig, EVENTS } = require('./parts/livekit');
const { natsConfig } = require('./parts/nats');
const { withDatabase } = require('./parts/redis');
const { backOff } = require('./supervisor');
const { isWithin, parse } = require('./version');

describe('what an app gets from the caller', () => {
  test('only what is meant to pass', () => {
    const env = cleanBase({ PATH: '/bin', HOME: '/h', AWS_SECRET_ACCESS_KEY: 'x', NODE_OPTIONS: '-r x', OTEL_TRACES_EXPORTER: 'none', LOG_LEVEL: 'debug', FAILPOINTS: 'a=crash', CLOCK: 'controlled', TZ: 'Asia/Tokyo' });
    expect(env).toEqual({ PATH: '/bin', HOME: '/h', LANG: 'C.UTF-8', TZ: 'UTC', OTEL_TRACES_EXPORTER: 'none', LOG_LEVEL: 'debug', FAILPOINTS: 'a=crash', CLOCK: 'controlled' });
  });

  test('its own role in the database, its own number in Redis', () => {
    expect(databaseUrl('postgres://postgres:root@127.0.0.1:5000/classroom', 'room', 'pw')).toBe('postgres://classroom_room:pw@127.0.0.1:5000/classroom');
    expect(withDatabase('redis://127.0.0.1:5003', 2)).toBe('redis://127.0.0.1:5003/2');
    expect(withDatabase('redis://:pw@127.0.0.1:5003/7', 0)).toBe('redis://:pw@127.0.0.1:5003/0');
  });
});

describe('configurations', () => {
  const values = { port: 1, udpPort: 2, tcpPort: 0, redisUrl: 'redis://:pw@127.0.0.1:3/0', key: 'k', secret: 's', webhookUrls: ['http://127.0.0.1:4/a', 'http://127.0.0.1:4/b'] };

  test('LiveKit stays on loopback, makes no room by itself and tells only what we use', () => {
    const config = livekitConfig(values);
    expect(config.bind_addresses).toEqual(['127.0.0.1']);
    expect(config.room).toEqual({ auto_create: false });
    expect(config.api).toEqual({ enable_psrpc_for_get_list_participants: true });
    expect(config.redis).toEqual({ address: '127.0.0.1:3', db: 1, password: 'pw' });
    expect(config.webhook.urls).toEqual(values.webhookUrls);
    expect(EVENTS.every((event) => /^(room|participant|egress)_|^track_published$/.test(event))).toBe(true);
  });

  test('NATS syncs always unless told otherwise', () => {
    const base = { port: 1, monitor: 2, store: '/x "y"' };
    expect(natsConfig(base)).toContain('sync_interval: always');
    expect(natsConfig({ ...base, syncInterval: '2m' })).toContain('sync_interval: 2m');
    expect(natsConfig(base)).toContain('store_dir: "/x \\"y\\""');
  });
});

describe('versions', () => {
  test.each([
    ['postgres (PostgreSQL) 18.4 (Debian 18.4-1)', [18, 4]],
    ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', [7, 0, 15]],
    ['nats-server: v2.15.2', [2, 15, 2]],
    ['livekit-server version 1.13.5', [1, 13, 5]],
    ['no version', undefined],
  ])('%s', (text, expected) => { expect(parse(text)).toEqual(expected); });

  test('a range takes its lower end and leaves its upper', () => {
    const range = { min: '2.12.0', below: '3.0.0' };
    expect(['2.9.10', '2.12.0', '2.15.2', '3.0.0', 'x'].map((it) => isWithin(it, range))).toEqual([false, true, true, false, false]);
  });
});

test('the supervisor waits longer with each crash, up to half a minute', () => {
  expect([1, 2, 3, 7, 50].map(backOff)).toEqual([500, 1000, 2000, 30_000, 30_000]);
});
