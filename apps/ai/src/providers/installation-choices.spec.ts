import { ConfigError } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import { installationChoices } from './installation-choices.js';

const NOTHING = { AI_CHAT_PROVIDER: 'offline', AI_STT_PROVIDER: 'offline', AI_TTS_PROVIDER: 'offline' };
const choices = (config: Partial<AiConfig>) => installationChoices({ ...NOTHING, ...config } as AiConfig);

it('is offline if nothing is configured', () => {
  expect(choices({})).toEqual({ chat: { provider: 'offline', model: 'offline' } });
});

it('uses the configured models', () => {
  const given = { AI_CHAT_PROVIDER: 'anthropic', AI_CHAT_MODEL: 'claude', AI_CHAT_API_KEY: 'k', AI_FALLBACK_PROVIDER: 'offline' } as const;
  expect(choices(given)).toEqual({
    chat: { provider: 'anthropic', model: 'claude', apiKey: 'k' },
    chatFallback: { provider: 'offline', model: 'offline' },
  });
});

it('refuses an incomplete configuration, and names the missing variable', () => {
  expect(() => choices({ AI_STT_PROVIDER: 'openai-compatible', AI_STT_MODEL: 'whisper' })).toThrow(ConfigError);
  expect(() => choices({ AI_STT_PROVIDER: 'openai-compatible' })).toThrow(/AI_STT_MODEL: is required .*\n {2}AI_STT_BASE_URL: is required/);
  expect(() => choices({ AI_EMBEDDING_PROVIDER: 'google' })).toThrow('AI_EMBEDDING_MODEL');
});
