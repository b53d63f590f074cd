import type { AiSettings } from '@classroom/contracts';
import type { StoredChoice, SettingsEntity } from '../schema/settings.entity.js';

const toModelSettings = (choice: StoredChoice | undefined) =>
  choice
    ? {
        provider: choice.provider,
        model: choice.model,
        baseUrl: choice.baseUrl ?? null,
        hasApiKey: choice.sealedKey !== undefined,
        vision: choice.vision,
      }
    : null;

export function toAiSettings(organizationId: string, row: SettingsEntity | undefined): AiSettings {
  const stored = row?.choices ?? {};
  return {
    organizationId,
    chat: toModelSettings(stored.chat),
    chatFallback: toModelSettings(stored.chatFallback),
    speechToText: toModelSettings(stored.speechToText),
    textToSpeech: toModelSettings(stored.textToSpeech),
    embedding: toModelSettings(stored.embedding),
    prices: stored.prices ?? null,
    credits: stored.credits ?? null,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}
