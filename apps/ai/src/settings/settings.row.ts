import type { AiSettings, CreditPrice, ModelChoice, ModelPrice } from '@classroom/contracts';

export const TASKS = ['chat', 'chatFallback', 'speechToText', 'textToSpeech', 'embedding'] as const;
export type Task = (typeof TASKS)[number];

/** A choice as it is kept: its key is sealed. */
export interface KeptChoice {
  provider: ModelChoice['provider'];
  model: string;
  baseUrl?: string;
  sealedKey?: string;
  vision?: boolean;
}

export type Kept = { [task in Task]?: KeptChoice } & { prices?: ModelPrice[]; credits?: CreditPrice };

export interface SettingsRow {
  organizationId: string;
  /** Rises with each change. */
  version: number;
  kept: Kept;
  updatedAt: Date;
}

const show = (choice: KeptChoice | undefined) =>
  choice
    ? { provider: choice.provider, model: choice.model, baseUrl: choice.baseUrl ?? null, hasApiKey: choice.sealedKey !== undefined, vision: choice.vision }
    : null;

export function toAiSettings(organizationId: string, row: SettingsRow | undefined): AiSettings {
  const kept = row?.kept ?? {};
  return {
    organizationId,
    chat: show(kept.chat),
    chatFallback: show(kept.chatFallback),
    speechToText: show(kept.speechToText),
    textToSpeech: show(kept.textToSpeech),
    embedding: show(kept.embedding),
    prices: kept.prices ?? null,
    credits: kept.credits ?? null,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
