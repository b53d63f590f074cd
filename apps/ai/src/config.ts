import { installationModels, modelPrice } from '@classroom/contracts';
import { persistenceConfig } from '@classroom/persistence';
import { baseConfig, loadConfig, secrets } from '@classroom/platform';
import { storageConfig } from '@classroom/storage';
import { z } from 'zod';

const seconds = (fallback: number) => z.coerce.number().min(0.1).default(fallback);

/** A value in JSON. */
const json = <S extends z.ZodType>(content: S, fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(content);

const schema = baseConfig
  .extend(persistenceConfig.shape)
  .extend(storageConfig.shape)
  .extend({
    /**
     * The models as JSON, by task: {"chat":{"provider":"openai-compatible","model":"…","baseUrl":"…","apiKey":"…"}}. Tasks: `chat`,
     * `chatFallback` (answers while `chat` does not), `speechToText`, `textToSpeech`, `embedding` (groups questions by meaning). Providers:
     * `openai-compatible`, `google`, `anthropic`. Without `chat`, answers quote the class material and the conversation, and say so;
     * without `speechToText` and `textToSpeech`, local programs listen and speak; without `embedding`, questions are grouped by their text.
     * With `"vision":false`, a chat model gets no pictures, and its answers say so.
     */
    AI_MODELS: json(installationModels, '{}'),
    /** Prices of models as a JSON list: [{"model":"…","perMillionInputTokens":"0.15","perMillionOutputTokens":"0.6"}]. */
    AI_PRICES: json(z.array(modelPrice), '[]'),
    /**
     * Tokens of context that one request may fill. When a chat's turns fill three quarters of what its instructions and its summary leave,
     * older turns are summarized.
     */
    AI_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).default(16_000),
    /** Maximum number of tokens in one answer. */
    AI_MAX_OUTPUT_TOKENS: z.coerce.number().int().min(16).default(2_048),
    /**
     * Seconds that one attempt may take until its first token, and that a provider may pause between two tokens. After the last attempt, the
     * fallback model is called.
     */
    AI_FIRST_TOKEN_SECONDS: seconds(20),
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
export const readConfig = (env?: NodeJS.ProcessEnv) => loadConfig(schema, env);
