import { ConfigError } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import type { Choices } from './model-registry.js';
import type { Choice } from './sdk-models.js';

const OFFLINE: Choice = { provider: 'offline', model: 'offline' };

/**
 * The models that the configuration names.
 * @throws ConfigError if the configuration of a model is incomplete
 */
export function installationChoices(config: AiConfig): Choices {
  return {
    chat: choice(config, 'CHAT') ?? OFFLINE,
    chatFallback: choice(config, 'FALLBACK'),
    speechToText: choice(config, 'STT'),
    textToSpeech: choice(config, 'TTS'),
    embedding: choice(config, 'EMBEDDING'),
  };
}

function choice(config: AiConfig, task: 'CHAT' | 'FALLBACK' | 'STT' | 'TTS' | 'EMBEDDING'): Choice | undefined {
  const provider = config[`AI_${task}_PROVIDER`];
  if (provider === undefined || provider === 'offline') return provider && task === 'FALLBACK' ? OFFLINE : undefined;
  const model = config[`AI_${task}_MODEL`];
  const baseUrl = config[`AI_${task}_BASE_URL`];
  const missing = [model ? [] : `AI_${task}_MODEL`, baseUrl || provider !== 'openai-compatible' ? [] : `AI_${task}_BASE_URL`].flat();
  if (model === undefined || missing.length > 0) {
    const lines = missing.map((name) => `  ${name}: is required where AI_${task}_PROVIDER is ${provider}`);
    throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}`);
  }
  const isVisionDisabled = (task === 'CHAT' || task === 'FALLBACK') && config[`AI_${task}_VISION`] === false;
  return { provider, model, baseUrl, apiKey: config[`AI_${task}_API_KEY`], ...(isVisionDisabled ? { vision: false } : {}) };
}
