import { z } from 'zod';
import { baseConfig, ConfigError, loadConfig, secret } from './config.js';

const env = { NATS_URL: 'nats://localhost', PROBE_PORT: '9000' };

describe('loadConfig', () => {
  it('reads the environment, with text turned into numbers and lists', () => {
    expect(loadConfig(baseConfig, env)).toMatchObject({ DEPLOYMENT: 'production', ROLES: ['service', 'worker'], PROBE_PORT: 9000 });
    expect(loadConfig(baseConfig, { ...env, ROLES: 'worker' }).ROLES).toEqual(['worker']);
  });

  it('names every variable that is missing or wrong, and prints no value', () => {
    const schema = baseConfig.extend({ TOKEN_SECRET: secret, OTHER: z.string() });
    const load = () => loadConfig(schema, { ...env, TOKEN_SECRET: 'short-and-secret', PROBE_PORT: '', ROLES: 'cook' });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/PROBE_PORT: .*\n|TOKEN_SECRET: must be a secret/);
    expect(load).toThrow(/OTHER: is required/);
    expect(load).toThrow(/ROLES/);
    expect(load).not.toThrow(/short-and-secret/);
  });

  it('refuses a clock that tests can move in production', () => {
    expect(() => loadConfig(baseConfig, { ...env, CLOCK: 'controlled' })).toThrow(/CLOCK: controlled is refused/);
    expect(loadConfig(baseConfig, { ...env, CLOCK: 'controlled', DEPLOYMENT: 'local' }).CLOCK).toBe('controlled');
  });
});
