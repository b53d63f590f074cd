import { readConfig } from './config.js';

const REQUIRED = {
  NATS_URL: 'nats://127.0.0.1',
  PROBE_PORT: '0',
  DATABASE_URL: 'postgres://127.0.0.1/ai',
  S3_ENDPOINT: 'http://127.0.0.1',
  S3_BUCKET: 'classroom',
  AI_KEY_SECRET: 'a secret of at least thirty-two characters',
};
const modelsOf = (models: object | string) =>
  readConfig({ ...REQUIRED, AI_MODELS: typeof models === 'string' ? models : JSON.stringify(models) }).AI_MODELS;

it('names no model if nothing is configured', () => {
  expect(readConfig(REQUIRED)).toMatchObject({ AI_MODELS: {}, AI_PRICES: [] });
});

it('has the models by task', () => {
  const models = { chat: { provider: 'anthropic', model: 'claude', apiKey: 'k' }, chatFallback: { provider: 'offline', model: 'offline' } };
  expect(modelsOf(models)).toEqual(models);
});

it('refuses an incomplete model, another task and what is not JSON, without a value in the message', () => {
  const provider = 'openai-compatible';
  expect(() => modelsOf({ speechToText: { provider, model: 'whisper', apiKey: 'sk-1' } })).toThrow(
    /AI_MODELS.speechToText.baseUrl: is required(?!.*sk-1)/s,
  );
  expect(() => modelsOf({ embedding: { provider: 'google' } })).toThrow('AI_MODELS.embedding.model: ');
  expect(() => modelsOf({ textToSpeech: { provider: 'anthropic', model: 'm' } })).toThrow('AI_MODELS.textToSpeech.provider: ');
  expect(() => modelsOf({ chatt: { provider: 'google', model: 'm' } })).toThrow(/AI_MODELS: .*chatt/);
  expect(() => modelsOf('{"chat":{"apiKey":"sk-1"')).toThrow(/AI_MODELS: must be JSON(?!.*sk-1)/s);
});
