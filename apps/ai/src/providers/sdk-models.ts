import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4, SpeechModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import type { ModelChoice } from '@classroom/contracts';
import { OfflineModel } from './offline/offline-model.js';

/** A model and how it is had; baseUrl is what its provider's own address is replaced by. */
export type Choice = Pick<ModelChoice, 'provider' | 'model' | 'baseUrl' | 'apiKey' | 'vision'>;

/** OpenAI's own newer models refuse what its compatible followers expect (max_tokens). */
const OPENAI = 'api.openai.com';
/** Left out, the SDK would send the key that happens to stand in the environment: to an address that another organization named. */
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
