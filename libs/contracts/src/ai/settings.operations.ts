import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { givesSome, NAMES, ORGANIZATION } from '../kernel/reference.js';
import { organizationId, text, timestamp } from '../kernel/values.js';
import { aiProvider } from './ai-event.js';

const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
/** Up to 9 digits with 9 decimals, kept as written. */
export const price = z
  .union([z.number().nonnegative().max(1e9), z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal number')])
  .transform(String)
  .pipe(z.string());

/** Which providers can do which task. `offline` turns a task off if no local program does it. */
const PROVIDERS = {
  chat: ['openai-compatible', 'google', 'anthropic', 'offline'],
  chatFallback: ['openai-compatible', 'google', 'anthropic', 'offline'],
  speechToText: ['openai-compatible', 'google', 'offline'],
  textToSpeech: ['openai-compatible', 'offline'],
  embedding: ['openai-compatible', 'google', 'offline'],
} as const satisfies Record<string, readonly z.infer<typeof aiProvider>[]>;
export type AiTask = keyof typeof PROVIDERS;
export const AI_TASKS = Object.keys(PROVIDERS) as AiTask[];

/** A model for a task, and its provider. The API key is write-only: it is stored encrypted and no answer contains it. */
const choiceOf = (task: AiTask) =>
  z
    .object({
      provider: z.enum(PROVIDERS[task]).describe('The provider’s protocol.'),
      model: text(128).describe('Name of the model at the provider, 1 to 128 characters.'),
      baseUrl: baseUrl.optional().describe('Address of the provider, at most 2,048 characters. Required for `openai-compatible`.'),
      apiKey: z
        .string()
        .min(1)
        .max(1024)
        .optional()
        .describe('Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it.'),
      vision: z
        .boolean()
        .optional()
        .describe(
          'Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so.',
        ),
    })
    .refine(({ provider, baseUrl: url }) => provider !== 'openai-compatible' || url !== undefined, {
      path: ['baseUrl'],
      error: 'is required for an openai-compatible provider',
    });
export type ModelChoice = z.infer<ReturnType<typeof choiceOf>>;

/** The models of an installation, by task. What is missing is done by what the installation has without a model. */
export const installationModels = z.strictObject({
  chat: choiceOf('chat').optional(),
  chatFallback: choiceOf('chatFallback').optional(),
  speechToText: choiceOf('speechToText').optional(),
  textToSpeech: choiceOf('textToSpeech').optional(),
  embedding: choiceOf('embedding').optional(),
});

/** Prices in the currency of the price table: USD unless the installation configures another. An omitted price is 0. */
export const modelPrice = z
  .object({
    model: text(128).describe('Name of the model, 1 to 128 characters.'),
    perMillionInputTokens: price.default('0').describe('Price of a million tokens read: up to 9 digits and 9 decimals. Default: 0.'),
    perMillionOutputTokens: price.default('0').describe('Price of a million tokens written: up to 9 digits and 9 decimals. Default: 0.'),
    perMinuteOfAudio: price
      .default('0')
      .describe('Price of a minute of audio to a speech-to-text model: up to 9 digits and 9 decimals. Default: 0.'),
    perMillionCharacters: price
      .default('0')
      .describe('Price of a million characters to a text-to-speech model: up to 9 digits and 9 decimals. Default: 0.'),
  })
  .register(NAMES, { id: 'ModelPrice', description: 'Prices of a model in the currency of the price table.' });
export type ModelPrice = z.infer<typeof modelPrice>;

/** What the organization pays for AI in credits. Without it, AI costs no credits. */
export const creditPrice = z
  .object({
    perMillionInputTokens: price.default('0').describe('Credits for a million tokens read: up to 9 digits and 9 decimals. Default: 0.'),
    perMillionOutputTokens: price.default('0').describe('Credits for a million tokens written: up to 9 digits and 9 decimals. Default: 0.'),
  })
  .register(NAMES, { id: 'CreditPrice', description: 'What AI costs in credits.' });
export type CreditPrice = z.infer<typeof creditPrice>;

const eachChoice = <T extends z.ZodType>(choice: (task: AiTask) => T, inherited: string) => ({
  chat: choice('chat').describe(`Model that answers. ${inherited}`),
  chatFallback: choice('chatFallback').describe(`Model that answers while the first one does not. ${inherited}`),
  speechToText: choice('speechToText').describe(`Model that transcribes questions. ${inherited}`),
  textToSpeech: choice('textToSpeech').describe(`Model that speaks answers. ${inherited}`),
  embedding: choice('embedding').describe(`Model that finds equal questions. ${inherited}`),
});

/** Of an organization's own models. */
const MAX_PRICES = 100;

/** An omitted field does not change; null restores the installation's default. */
export const aiSettingsBody = z
  .object({
    ...eachChoice((task) => choiceOf(task).nullish(), 'Null: the installation’s model.'),
    prices: z
      .array(modelPrice)
      .max(MAX_PRICES)
      .nullish()
      .describe('Prices of the organization’s own models, at most 100. Null: the installation’s prices.'),
    credits: creditPrice.nullish().describe('What AI costs the organization in credits. Null: nothing.'),
  })
  .refine(...givesSome(...AI_TASKS, 'prices', 'credits'));

const shownChoice = z
  .object({
    provider: aiProvider.describe('The provider’s protocol.'),
    model: z.string().describe('Name of the model at the provider.'),
    baseUrl: z.string().nullable().describe('Address of the provider; null for the provider’s own.'),
    hasApiKey: z.boolean().describe('Whether a key is stored.'),
    vision: z.boolean().optional().describe('Whether the model gets pictures. Present if it was set.'),
  })
  .nullable();

export const aiSettings = z
  .object({
    organizationId: shown.organizationId,
    ...eachChoice(() => shownChoice, 'Null where the installation’s model applies.'),
    prices: z
      .array(modelPrice)
      .max(MAX_PRICES)
      .nullable()
      .describe('Prices of the organization’s own models; null where the installation’s prices apply.'),
    credits: creditPrice.nullable().describe('What AI costs the organization in credits; null: nothing.'),
    updatedAt: timestamp.nullable().describe('When the settings last changed; null if they never did.'),
  })
  .register(NAMES, { id: 'AiSettings', description: 'An organization’s own models and prices.' });
export type AiSettings = z.infer<typeof aiSettings>;

const params = z.object({ organizationId: organizationId.describe('Id of the organization.') });

export const getAiSettings = defineOperation({
  operationId: 'getAiSettings',
  summary: 'Get AI settings',
  description: 'Returns the organization’s own models and prices; null where the installation’s settings apply.',
  tag: 'AI settings',
  sdk: 'aiSettings.get',
  route: 'GET /v1/admin/organizations/:organizationId/ai',
  auth: 'dispatch',
  service: 'ai',
  rpc: 'settings.get',
  params,
  output: aiSettings,
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION },
});

export const updateAiSettings = defineOperation({
  operationId: 'updateAiSettings',
  summary: 'Update AI settings',
  description: 'Changes the organization’s own models and prices.',
  tag: 'AI settings',
  sdk: 'aiSettings.update',
  route: 'PATCH /v1/admin/organizations/:organizationId/ai',
  auth: 'dispatch',
  service: 'ai',
  rpc: 'settings.update',
  params,
  body: aiSettingsBody,
  input: z.object({ organizationId, changes: aiSettingsBody }),
  toInput: ({ params, body }) => ({ ...params, changes: body }),
  output: aiSettings,
  message: 'AI settings updated',
  errors: ['ORGANIZATION_NOT_FOUND'],
  example: { params: ORGANIZATION, body: { credits: { perMillionInputTokens: 2, perMillionOutputTokens: 8 } } },
});
