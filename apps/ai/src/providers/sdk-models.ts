import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4, SpeechModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import type { ModelChoice } from '@classroom/contracts';
import { OfflineModel } from './offline/offline-model.js';

/** A model and how to reach it. `baseUrl` replaces the provider's own address. */
export type Choice = Pick<ModelChoice, 'provider' | 'model' | 'baseUrl' | 'apiKey' | 'vision'>;

/** Newer models of OpenAI itself reject `max_tokens`, which compatible servers expect. */
const OPENAI = 'api.openai.com';
/** Placeholder key. Without a key, the SDK would read one from the environment and send it to an address that an organization configured. */
const NO_KEY = 'none';

export function chatModel({ provider, model, baseUrl, apiKey = NO_KEY }: Choice): LanguageModelV4 {
  switch (provider) {
    case 'openai-compatible':
      if (new URL(baseUrl ?? '').hostname === OPENAI) return createOpenAI({ baseURL: baseUrl, apiKey }).chat(model);
      return openAiCompatible({ baseUrl, apiKey }).chatModel(model);
    case 'google':
      return createGoogle({ baseURL: baseUrl, apiKey }).chat(model);
    case 'anthropic':
      return createAnthropic({ baseURL: baseUrl, apiKey }).chat(model);
    default:
      return new OfflineModel();
  }
}

export const transcriptionModel = ({ model, baseUrl, apiKey = NO_KEY }: Choice): TranscriptionModelV4 =>
  createOpenAI({ baseURL: baseUrl, apiKey }).transcription(model);

export const speechModel = ({ model, baseUrl, apiKey = NO_KEY }: Choice): SpeechModelV4 =>
  createOpenAI({ baseURL: baseUrl, apiKey }).speech(model);

export function embeddingModel({ provider, model, baseUrl, apiKey = NO_KEY }: Choice): EmbeddingModelV4 {
  if (provider === 'google') return createGoogle({ baseURL: baseUrl, apiKey }).embedding(model);
  return openAiCompatible({ baseUrl, apiKey }).embeddingModel(model);
}

const openAiCompatible = ({ baseUrl, apiKey }: Pick<Choice, 'baseUrl' | 'apiKey'>) =>
  createOpenAICompatible({ name: 'openai-compatible', baseURL: baseUrl ?? '', apiKey, includeUsage: true });
