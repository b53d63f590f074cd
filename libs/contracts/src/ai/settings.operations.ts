import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { ORGANIZATION } from '../kernel/samples.js';
import { organizationId, text, timestamp } from '../kernel/ids.js';
import { aiProvider } from './ai-event.js';

const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
/** Up to 9 digits with 9 decimals, kept as written. */
export const price = z
  .union([z.number().nonnegative().max(1e9), z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal number')])
  .transform(String)
  .pipe(z.string());

/** A model and its provider. The API key is write-only: it is stored encrypted and no answer contains it. */
export const modelChoice = z
  .object({
    provider: aiProvider,
    model: text(128),
    baseUrl: baseUrl.optional(),
    apiKey: z.string().min(1).max(1024).optional(),
    vision: z
      .boolean()
      .optional()
      .describe('Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so.'),
  })
  .refine(({ provider, baseUrl: url }) => provider !== 'openai-compatible' || url !== undefined, {
    path: ['baseUrl'],
    error: 'is required for an openai-compatible provider',
  });
export type ModelChoice = z.infer<typeof modelChoice>;

/** Prices in the currency of the price table: USD unless the installation configures another. An omitted price is 0. */
export const modelPrice = z.object({
  model: text(128),
  perMillionInputTokens: price.default('0'),
  perMillionOutputTokens: price.default('0'),
  perMinuteOfAudio: price.default('0'),
  perMillionCharacters: price.default('0'),
});
export type ModelPrice = z.infer<typeof modelPrice>;

/** What the organization pays for AI in credits. Without it, AI costs no credits. */
export const creditPrice = z.object({ perMillionInputTokens: price.default('0'), perMillionOutputTokens: price.default('0') });
export type CreditPrice = z.infer<typeof creditPrice>;

const choices = ['chat', 'chatFallback', 'speechToText', 'textToSpeech', 'embedding'] as const;
export type AiTask = (typeof choices)[number];

const eachChoice = <T extends z.ZodType>(choice: T) => ({
  chat: choice,
  chatFallback: choice,
  speechToText: choice,
  textToSpeech: choice,
  embedding: choice,
});

/** An omitted field does not change; null restores the installation's default. */
export const aiSettingsBody = z
  .object({ ...eachChoice(modelChoice.nullish()), prices: z.array(modelPrice).max(100).nullish(), credits: creditPrice.nullish() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'nothing to change was given');

const shownChoice = z
  .object({
    provider: aiProvider,
    model: z.string(),
    baseUrl: z.string().nullable(),
    hasApiKey: z.boolean(),
    vision: z.boolean().optional(),
  })
  .nullable();

export const aiSettings = z.object({
  organizationId: z.string(),
  ...eachChoice(shownChoice),
  prices: z.array(modelPrice).nullable(),
  credits: creditPrice.nullable(),
  updatedAt: timestamp.nullable(),
});
export type AiSettings = z.infer<typeof aiSettings>;

const params = z.object({ organizationId });

export const getAiSettings = defineOperation({
  operationId: 'getAiSettings',
  summary: 'Get AI settings',
  description: 'Returns the organization’s own models and prices; null where the installation’s settings apply.',
  tag: 'Administration',
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
  tag: 'Administration',
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
