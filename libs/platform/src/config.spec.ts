import { z } from 'zod';
import { baseConfig, ConfigError, loadConfig, secret, secrets } from './config.js';
import { liveKitKeys } from './signing-keys.js';

const env = { NATS_URL: 'nats://localhost', PROBE_PORT: '9000' };

describe('loadConfig', () => {
  it('reads the environment, with text turned into numbers and lists', () => {
    expect(loadConfig(baseConfig, env)).toMatchObject({ DEPLOYMENT: 'production', ROLES: ['service', 'worker'], PROBE_PORT: 9000 });
    expect(loadConfig(baseConfig, { ...env, ROLES: 'worker' }).ROLES).toEqual(['worker']);
  });

  it('names every variable that is missing or invalid, and prints no value', () => {
    const schema = baseConfig.extend({ TOKEN_SECRET: secret, OTHER: z.string() });
    const load = () => loadConfig(schema, { ...env, TOKEN_SECRET: 'short-and-secret', PROBE_PORT: '', ROLES: 'cook' });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/PROBE_PORT: .*\n|TOKEN_SECRET: must be a secret/);
    expect(load).toThrow(/OTHER: is required/);
    expect(load).toThrow(/ROLES/);
    expect(load).not.toThrow(/short-and-secret/);
  });

  it('accepts several secrets during a change, each long enough', () => {
    const [one, other] = ['1'.repeat(32), '2'.repeat(32)];
    const read = (TOKEN_SECRET: string) => loadConfig(z.object({ TOKEN_SECRET: secrets }), { TOKEN_SECRET }).TOKEN_SECRET;
    expect([read(one), read(`${other}, ${one}`)]).toEqual([[one], [other, one]]);
    for (const wrong of ['', ',', `${one},`, `${one},short`]) expect(() => read(wrong)).toThrow(/TOKEN_SECRET: /);
  });

  it('accepts several keys of LiveKit, each with its secret', () => {
    const [one, other] = ['1'.repeat(32), '2'.repeat(32)];
    const read = (KEYS: string) => loadConfig(z.object({ KEYS: liveKitKeys }), { KEYS }).KEYS;
    expect(read('')).toEqual([]);
    expect(read(`a:${one}, b:${other}`)).toEqual([
      { key: 'a', secret: one },
      { key: 'b', secret: other },
    ]);
    for (const wrong of [one, `a:${one},b`, 'a:short', `:${one}`, `a:${one}:x`])
      expect(() => read(wrong)).toThrow(/KEYS: must be <key>:<secret/);
  });

  it.each(['controlled', 'sandbox'])('refuses in production a clock that can be moved: %s', (CLOCK) => {
    const moved = { ...env, CLOCK, CLOCK_FILE: '/clock.json' };
    expect(() => loadConfig(baseConfig, moved)).toThrow(`CLOCK: ${CLOCK} is refused in production`);
    expect(() => loadConfig(baseConfig, { ...moved, DEPLOYMENT: 'production' })).toThrow(`CLOCK: ${CLOCK} is refused in production`);
    expect(loadConfig(baseConfig, { ...moved, DEPLOYMENT: 'local' }).CLOCK).toBe(CLOCK);
  });

  it('refuses a sandbox whose processes would start at different times', () => {
    expect(() => loadConfig(baseConfig, { ...env, CLOCK: 'sandbox', DEPLOYMENT: 'local' })).toThrow(/CLOCK_FILE: is required/);
  });
});
