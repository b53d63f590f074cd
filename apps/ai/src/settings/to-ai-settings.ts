import type { AiSettings } from '@classroom/contracts';
import type { KeptChoice, SettingsEntity } from '../schema/settings.entity.js';

const show = (choice: KeptChoice | undefined) =>
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
  const kept = row?.choices ?? {};
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
