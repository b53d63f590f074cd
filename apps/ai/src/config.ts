import { modelPrice } from '@classroom/contracts';
import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, secret } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const seconds = (fallback: number) => z.coerce.number().min(0.1).default(fallback);

const chatProvider = z.enum(['openai-compatible', 'google', 'anthropic', 'offline']);

const prices = z
  .string()
  .default('[]')
  .transform((value, context) => {
    try {
      return z.array(modelPrice).parse(JSON.parse(value));
    } catch (error) {
      context.addIssue({ code: 'custom', message: `must be a JSON list of prices: ${error instanceof Error ? error.message : 'unreadable'}` });
      return z.NEVER;
    }
  });

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    // For each task `_PROVIDER`, `_MODEL`, `_BASE_URL`, `_API_KEY`: which model does it, and where it is had.
    /** Without a provider the offline one answers, and says so. */
    AI_CHAT_PROVIDER: chatProvider.default('offline'),
    AI_CHAT_MODEL: z.string().optional(),
    AI_CHAT_BASE_URL: z.url().optional(),
    AI_CHAT_API_KEY: z.string().optional(),
    /** Answers where the first choice fails before its first word. */
    AI_FALLBACK_PROVIDER: chatProvider.optional(),
    AI_FALLBACK_MODEL: z.string().optional(),
    AI_FALLBACK_BASE_URL: z.url().optional(),
    AI_FALLBACK_API_KEY: z.string().optional(),
    AI_STT_PROVIDER: z.enum(['openai-compatible', 'google', 'offline']).default('offline'),
    AI_STT_MODEL: z.string().optional(),
    AI_STT_BASE_URL: z.url().optional(),
    AI_STT_API_KEY: z.string().optional(),
    /** Offline: the local synthesizer. */
    AI_TTS_PROVIDER: z.enum(['openai-compatible', 'offline']).default('offline'),
    AI_TTS_MODEL: z.string().optional(),
    AI_TTS_BASE_URL: z.url().optional(),
    AI_TTS_API_KEY: z.string().optional(),
    /** Groups questions of one meaning; without it they are grouped by their words. */
    AI_EMBEDDING_PROVIDER: z.enum(['openai-compatible', 'google']).optional(),
    AI_EMBEDDING_MODEL: z.string().optional(),
    AI_EMBEDDING_BASE_URL: z.url().optional(),
    AI_EMBEDDING_API_KEY: z.string().optional(),
    /** A JSON list: [{"model":"…","perMillionInputTokens":"0.15","perMillionOutputTokens":"0.6"}]. */
    AI_PRICES: prices,
    /** Tokens of context that a chat may fill before its older turns are summarized. */
    AI_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).default(16_000),
    AI_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(16).default(2_048),
    /** How long a provider may take to its first word, between two, and altogether. */
    AI_FIRST_TOKEN_SECONDS: seconds(20),
    AI_IDLE_SECONDS: seconds(20),
    AI_TOTAL_SECONDS: seconds(180),
    /** Encrypts the organizations' own keys. */
    AI_KEY_SECRET: secret,
    /** The local synthesizer's program. */
    ESPEAK_PATH: z.string().default('espeak-ng'),
    PATH: z.string().default('/usr/bin:/bin'),
  });
export type AiConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
