import { APPS } from './apps.ts';
import { readSettings, type Variables } from './context.ts';
import { appEnvironment } from './environment.ts';
import type { StackOptions } from './options.ts';
import { layOut } from './ports.ts';
import { newCallerKey, type Secrets } from './secrets.ts';
import { startStack } from './stack.ts';

const OUTSIDE = {
  PUBLIC_URL: 'https://classroom.school.example',
  LIVEKIT_PUBLIC_URL: 'wss://livekit.school.example',
  LIVEKIT_NODE_IP: '203.0.113.7',
  S3_PUBLIC_URL: 'https://files.school.example/',
  TRUSTED_PROXIES: '127.0.0.1',
};

describe('the settings that npm start reads', () => {
  test('contain models and a few settings of apps, and nothing else', () => {
    const env = { AI_MODELS: '{}', RATE_LIMIT_PER_MINUTE: '5000', NODE_OPTIONS: '-r x', CLASSROOM_URL: 'https://x' };
    expect(readSettings(env)).toEqual({
      ai: { AI_MODELS: '{}' },
      outside: undefined,
      env: { all: { RATE_LIMIT_PER_MINUTE: '5000' } },
    });
  });

  test('contain the public addresses', () => {
    expect(readSettings(OUTSIDE).outside).toEqual({
      page: 'https://classroom.school.example',
      livekit: 'wss://livekit.school.example',
      nodeIp: '203.0.113.7',
      files: 'https://files.school.example',
      proxies: '127.0.0.1',
    });
  });

  test.each([
    [{ PUBLIC_URL: 'classroom.school.example' }, /PUBLIC_URL=/],
    [{ PUBLIC_URL: 'https://school.example/classroom' }, /no path/],
    [{ LIVEKIT_PUBLIC_URL: 'https://livekit.school.example' }, /wss:\/\/host/],
    [{ LIVEKIT_PUBLIC_URL: '' }, /without LIVEKIT_PUBLIC_URL/],
    [{ LIVEKIT_NODE_IP: 'livekit.school.example' }, /not an address/],
    [{ LIVEKIT_NODE_IP: '' }, /without LIVEKIT_NODE_IP/],
    [{ PUBLIC_URL: '' }, /without PUBLIC_URL/],
  ])('are rejected with %j, because no client could connect', (wrong, message) => {
    expect(() => readSettings({ ...OUTSIDE, ...wrong })).toThrow(message);
  });

  test('require no node address for a LiveKit that runs elsewhere', () => {
    const env = { ...OUTSIDE, LIVEKIT_NODE_IP: '', LIVEKIT_URL: 'https://livekit.cloud.example' };
    expect(readSettings(env).outside).toMatchObject({ livekit: 'wss://livekit.school.example' });
  });
});

describe("an app's variables", () => {
  /** @returns the variables by app */
  const of = (options: StackOptions): Record<string, Variables> =>
    Object.fromEntries(
      APPS.map((app) => [
        app.name,
        appEnvironment(app, {
          options,
          home: '/home',
          cache: '/cache',
          gatewayPort: 8080,
          ports: { gateway: 8080, ...layOut(31_500, []) },
          programEnvironment: {},
          s3Environment: () => ({}),
          urls: {
            gateway: 'http://127.0.0.1:8080',
            nats: 'nats://n',
            redis: 'redis://r',
            postgresAdmin: 'postgres://p',
            s3: 'http://s',
            s3Public: 'http://s',
            livekit: 'http://127.0.0.1:31504',
            livekitPublic: 'ws://127.0.0.1:31504',
          },
          secrets: { databasePasswords: {}, callerSigningKey: newCallerKey() } as Secrets,
        }),
      ]),
    );

  test('name loopback, and then the deployment is not production', () => {
    const { gateway, room, media } = of({});
    for (const app of [gateway, room, media]) expect(app).toMatchObject({ DEPLOYMENT: 'local', CLASSROOM_URL: 'http://127.0.0.1:8080' });
    expect(gateway?.TRUSTED_PROXIES).toBeUndefined();
  });

  test('name the public addresses for browsers, and loopback for processes on this machine', () => {
    const { gateway, room, media, recording } = of(readSettings(OUTSIDE));
    for (const app of [gateway, room, media]) expect(app).toMatchObject({ DEPLOYMENT: 'production', CLASSROOM_URL: OUTSIDE.PUBLIC_URL });
    for (const app of [gateway, room]) expect(app?.LIVEKIT_PUBLIC_URL).toBe(OUTSIDE.LIVEKIT_PUBLIC_URL);
    for (const app of [gateway, media]) expect(app?.MEDIA_URL).toBe(OUTSIDE.PUBLIC_URL);
    expect(gateway).toMatchObject({ TRUSTED_PROXIES: '127.0.0.1', MEDIA_INTERNAL_URL: 'http://127.0.0.1:31508' });
    expect(recording).toMatchObject({ LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:31504', RECORDING_PAGE_URL: 'http://127.0.0.1:8080/recording' });
  });

  test('contain a clock that can be moved in a sandbox alone', () => {
    for (const app of Object.values(of({}))) expect([app.CLOCK, app.CLOCK_FILE]).toEqual([undefined, undefined]);
    for (const app of Object.values(of({ sandbox: true })))
      expect(app).toMatchObject({ DEPLOYMENT: 'local', CLOCK: 'sandbox', CLOCK_FILE: '/home/clock.json' });
  });

  test('are never those of a sandbox that others reach: it does not start', async () => {
    const { outside } = readSettings(OUTSIDE);
    await expect(startStack({ sandbox: true, home: '/nowhere', ...(outside ? { outside } : {}) })).rejects.toThrow(
      /--sandbox and PUBLIC_URL/,
    );
  });

  test.each([
    ['DISPATCH_SECRET', ['gateway']],
    ['CACHE_REDIS_URL', ['gateway']],
    ['REDIS_URL', ['organization', 'room', 'billing', 'recording', 'media']],
    ['DATABASE_URL', ['organization', 'room', 'billing', 'recording', 'media', 'ai']],
    ['LIVEKIT_API_SECRET', ['room', 'gateway', 'recording']],
  ])('contain %s only for apps that need it', (name, apps) => {
    expect(Object.entries(of({})).flatMap(([app, variables]) => (name in variables ? [app] : []))).toEqual(apps);
  });
});
