import { Inject, Injectable } from '@nestjs/common';
import {
  AI_TASKS,
  getAiSettings,
  getOrganization,
  updateAiSettings,
  type RpcInput,
  type ModelChoice,
  type AiSettings,
} from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { SecretCipher, Clock, CONFIG } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import type { StoredChoices, StoredChoice, SettingsEntity } from '../schema/settings.entity.js';
import { SettingsRepository } from './settings.repository.js';

/** Encrypts the API keys of organizations. A key encrypted for one organization can't be decrypted for another. */
export const keyCipher = (secrets: readonly [string, ...string[]]) => new SecretCipher('classroom/ai/api-keys/v1', secrets);

@Injectable()
export class GetAiSettings {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(getAiSettings)
  async execute({ organizationId }: RpcInput<typeof getAiSettings>) {
    await this.rpc.call(getOrganization, { organizationId });
    return toAiSettings(organizationId, await this.settings.find(organizationId));
  }
}

type Changes = RpcInput<typeof updateAiSettings>['changes'];

@Injectable()
export class UpdateAiSettings {
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) config: AiConfig,
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {
    this.cipher = keyCipher(config.AI_KEY_SECRET);
  }

  @Handles(updateAiSettings)
  async execute({ organizationId, changes }: RpcInput<typeof updateAiSettings>) {
    await this.rpc.call(getOrganization, { organizationId });
    await this.database.transaction(async (tx) => {
      const now = this.clock.now();
      const { choices } = await this.settings.findForUpdate(tx, organizationId, now);
      await this.settings.save(tx, organizationId, this.apply(organizationId, choices, changes), now);
    });
    return toAiSettings(organizationId, await this.settings.find(organizationId));
  }

  private apply(organizationId: string, before: StoredChoices, changes: Changes): StoredChoices {
    const after: StoredChoices = { ...before };
    for (const task of AI_TASKS) {
      const choice = changes[task];
      if (choice === null) delete after[task];
      else if (choice) after[task] = this.toStored(organizationId, choice, before[task]);
    }
    if (changes.prices !== undefined) after.prices = changes.prices ?? undefined;
    if (changes.credits !== undefined) after.credits = changes.credits ?? undefined;
    return after;
  }

  /** Without a new key the stored one stays, but only for the same provider and address, so it is never sent to another address. */
  private toStored(
    organizationId: string,
    { provider, model, baseUrl, apiKey, vision }: ModelChoice,
    before: StoredChoice | undefined,
  ): StoredChoice {
    const isSameEndpoint = before?.provider === provider && before.baseUrl === baseUrl;
    const sealedKey = apiKey === undefined ? (isSameEndpoint ? before.sealedKey : undefined) : this.cipher.seal(organizationId, apiKey);
    return {
      provider,
      model,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(sealedKey === undefined ? {} : { sealedKey }),
      ...(vision === undefined ? {} : { vision }),
    };
  }
}

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

function toAiSettings(organizationId: string, row: SettingsEntity | undefined): AiSettings {
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
