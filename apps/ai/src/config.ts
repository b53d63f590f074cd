import { modelPrice } from '@classroom/contracts';
import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, secrets } from '@classroom/platform';
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
      context.addIssue({
        code: 'custom',
        message: `must be a JSON list of prices: ${error instanceof Error ? error.message : 'unreadable'}`,
      });
      return z.NEVER;
    }
  });

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    /** Provider of the chat model. `offline` uses no model: it quotes the class material and the conversation, and says so. */
    AI_CHAT_PROVIDER: chatProvider.default('offline'),
    /** Required with every provider except `offline`. */
    AI_CHAT_MODEL: z.string().optional(),
    /** Required with `openai-compatible`; the other providers have a default address. */
    AI_CHAT_BASE_URL: z.url().optional(),
    /** The provider's API key. A server of your own may not need one. */
    AI_CHAT_API_KEY: z.string().optional(),
    /** Whether the model accepts pictures. With `false`, pictures are not sent to it, and the answer says so. */
    AI_CHAT_VISION: z.stringbool().default(true),
    /** Provider of the fallback model, which answers if the first model fails before its first token. */
    AI_FALLBACK_PROVIDER: chatProvider.optional(),
    /** Required with every provider except `offline`. */
    AI_FALLBACK_MODEL: z.string().optional(),
    /** Required with `openai-compatible`; the other providers have a default address. */
    AI_FALLBACK_BASE_URL: z.url().optional(),
    /** The provider's API key. A server of your own may not need one. */
    AI_FALLBACK_API_KEY: z.string().optional(),
    /** Whether the model accepts pictures. With `false`, pictures are not sent to it, and the answer says so. */
    AI_FALLBACK_VISION: z.stringbool().default(true),
    /** Provider of the speech-to-text model. `offline` uses the embedded recognizer; if that is not installed, spoken questions are rejected. */
    AI_STT_PROVIDER: z.enum(['openai-compatible', 'google', 'offline']).default('offline'),
    /** Required with every provider except `offline`. */
    AI_STT_MODEL: z.string().optional(),
    /** Required with `openai-compatible`; the other providers have a default address. */
    AI_STT_BASE_URL: z.url().optional(),
    /** The provider's API key. A server of your own may not need one. */
    AI_STT_API_KEY: z.string().optional(),
    /** Provider of the text-to-speech model. `offline` uses the local synthesizer. */
    AI_TTS_PROVIDER: z.enum(['openai-compatible', 'offline']).default('offline'),
    /** Required with every provider except `offline`. */
    AI_TTS_MODEL: z.string().optional(),
    /** Required with `openai-compatible`; the other providers have a default address. */
    AI_TTS_BASE_URL: z.url().optional(),
    /** The provider's API key. A server of your own may not need one. */
    AI_TTS_API_KEY: z.string().optional(),
    /** Provider of the embedding model, which groups questions by meaning. Without it, questions are grouped by their text. */
    AI_EMBEDDING_PROVIDER: z.enum(['openai-compatible', 'google']).optional(),
    /** Required with an embedding provider. */
    AI_EMBEDDING_MODEL: z.string().optional(),
    /** Required with `openai-compatible`; the other providers have a default address. */
    AI_EMBEDDING_BASE_URL: z.url().optional(),
    /** The provider's API key. A server of your own may not need one. */
    AI_EMBEDDING_API_KEY: z.string().optional(),
    /** Prices of models as a JSON list: [{"model":"…","perMillionInputTokens":"0.15","perMillionOutputTokens":"0.6"}]. */
    AI_PRICES: prices,
    /**
     * Tokens of context that one request may fill. When a chat's turns fill three quarters of what its instructions and its summary leave,
     * older turns are summarized.
     */
    AI_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).default(16_000),
    /** Maximum number of tokens in one answer. */
    AI_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(16).default(2_048),
    /** Seconds that one attempt may take until its first token. After the last attempt, the fallback model is called. */
    AI_FIRST_TOKEN_SECONDS: seconds(20),
    /** Seconds that a provider may pause between two tokens. */
    AI_IDLE_SECONDS: seconds(20),
    /** Seconds that a whole answer may take, with all attempts and the fallback. */
    AI_TOTAL_SECONDS: seconds(180),
    /**
     * Encrypts the API keys of the organizations; at least 32 characters. To rotate it, list several separated by commas: the first
     * encrypts, all decrypt.
     */
    AI_KEY_SECRET: secrets,
    /** Program of the local speech synthesizer. */
    ESPEAK_PATH: z.string().default('espeak-ng'),
    /** Program of the embedded speech recognizer: `pocketsphinx_continuous` of pocketsphinx 0.8 or 5prealpha, with its English model. */
    POCKETSPHINX_PATH: z.string().min(1).default('pocketsphinx_continuous'),
    /** The ffmpeg program, 5.0 or newer, which decodes recordings and pictures. */
    FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
    /** Folders in which these programs are searched if they are given without a folder. */
    PATH: z.string().default('/usr/bin:/bin'),
  });
export type AiConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
