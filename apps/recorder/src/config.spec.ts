import { readConfig } from './config.js';

const REQUIRED = {
  NATS_URL: 'nats://nats',
  PROBE_PORT: '0',
  RECORDER_HOME: '/tmp',
  S3_ENDPOINT: 'http://s3',
  S3_BUCKET: 'classroom',
};

describe('the sandbox of Chromium', () => {
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  test.each([
    ['is required, so that a recorder without it is a decision', {}, 'on'],
    ['is required in production', { DEPLOYMENT: 'production' }, 'on'],
    ['is what is set', { DEPLOYMENT: 'production', CHROMIUM_SANDBOX: 'off' }, 'off'],
    ['is what npm start sets', { DEPLOYMENT: 'local', CHROMIUM_SANDBOX: 'auto' }, 'auto'],
  ])('%s', (_, env, expected) => {
    process.env = { ...REQUIRED, ...env };
    expect(readConfig().CHROMIUM_SANDBOX).toBe(expected);
  });
});
