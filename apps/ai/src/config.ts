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
    /** Who answers in chats; without a provider the offline one does, and says so. */
    AI_CHAT_PROVIDER: chatProvider.default('offline'),
    /** Needed with every provider but the offline one. */
    AI_CHAT_MODEL: z.string().optional(),
    /** Needed with `openai-compatible`; the others have an address of their own. */
    AI_CHAT_BASE_URL: z.url().optional(),
    /** The provider's key; a server of your own may want none. */
    AI_CHAT_API_KEY: z.string().optional(),
    /** Whether the model sees pictures; with `false` they are not sent to it, and the answer says so. */
    AI_CHAT_VISION: z.stringbool().default(true),
    /** Answers where the first choice fails before its first word. */
    AI_FALLBACK_PROVIDER: chatProvider.optional(),
    /** Needed with every provider but the offline one. */
    AI_FALLBACK_MODEL: z.string().optional(),
    /** Needed with `openai-compatible`; the others have an address of their own. */
    AI_FALLBACK_BASE_URL: z.url().optional(),
    /** The provider's key; a server of your own may want none. */
    AI_FALLBACK_API_KEY: z.string().optional(),
    /** Whether the model sees pictures; with `false` they are not sent to it, and the answer says so. */
    AI_FALLBACK_VISION: z.stringbool().default(true),
    /** Who writes down what was said. Offline: the embedded recognizer; without it questions by voice are refused. */
    AI_STT_PROVIDER: z.enum(['openai-compatible', 'google', 'offline']).default('offline'),
    /** Needed with every provider but the offline one. */
    AI_STT_MODEL: z.string().optional(),
    /** Needed with `openai-compatible`; the others have an address of their own. */
    AI_STT_BASE_URL: z.url().optional(),
    /** The provider's key; a server of your own may want none. */
    AI_STT_API_KEY: z.string().optional(),
    /** Who speaks. Offline: the local synthesizer. */
    AI_TTS_PROVIDER: z.enum(['openai-compatible', 'offline']).default('offline'),
    /** Needed with every provider but the offline one. */
    AI_TTS_MODEL: z.string().optional(),
    /** Needed with `openai-compatible`; the others have an address of their own. */
    AI_TTS_BASE_URL: z.url().optional(),
    /** The provider's key; a server of your own may want none. */
    AI_TTS_API_KEY: z.string().optional(),
    /** Groups questions of one meaning; without it they are grouped by their words. */
    AI_EMBEDDING_PROVIDER: z.enum(['openai-compatible', 'google']).optional(),
    /** Needed with a provider. */
    AI_EMBEDDING_MODEL: z.string().optional(),
    /** Needed with `openai-compatible`; the others have an address of their own. */
    AI_EMBEDDING_BASE_URL: z.url().optional(),
    /** The provider's key; a server of your own may want none. */
    AI_EMBEDDING_API_KEY: z.string().optional(),
    /** A JSON list: [{"model":"…","perMillionInputTokens":"0.15","perMillionOutputTokens":"0.6"}]. */
    AI_PRICES: prices,
    /** Tokens of context that a chat may fill before its older turns are summarized. */
    AI_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).default(16_000),
    /** Tokens of one answer at most. */
    AI_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(16).default(2_048),
    /** Seconds that a provider may take to its first word, before the fallback is asked. */
    AI_FIRST_TOKEN_SECONDS: seconds(20),
    /** Seconds that a provider may be silent between two words. */
    AI_IDLE_SECONDS: seconds(20),
    /** Seconds that an answer may take altogether. */
    AI_TOTAL_SECONDS: seconds(180),
    /** Encrypts the organizations' own keys; at least 32 characters. Several, comma separated, while it is changed: the first encrypts, all decrypt. */
    AI_KEY_SECRET: secrets,
    /** The local synthesizer's program. */
    ESPEAK_PATH: z.string().default('espeak-ng'),
    /** The embedded speech recognizer's program, `pocketsphinx_continuous` of pocketsphinx 0.8 or 5prealpha, with its English model. */
    POCKETSPHINX_PATH: z.string().min(1).default('pocketsphinx_continuous'),
    /** Decodes recordings and pictures, 5.0 or newer. */
    FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
    /** Where these programs are looked for, when they are named without a folder. */
    PATH: z.string().default('/usr/bin:/bin'),
  });
export type AiConfig = z.infer<typeof schema>;
export const readConfig = () => loadConfig(schema);
