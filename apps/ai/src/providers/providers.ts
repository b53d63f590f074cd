import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { AI_TASKS, AppError, type AiTask } from '@classroom/contracts';
import { atMost, CONFIG, logger, type SecretCipher } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import type { StoredChoice, SettingsEntity } from '../schema/settings.entity.js';
import { keyCipher } from '../settings/ai-settings.js';
import { creditsFor, PriceTable } from '../settings/price-table.js';
import { SettingsRepository } from '../settings/settings.repository.js';
import type { AiProvider, ModelName, ModelUsage } from '../models/ai-provider.js';
import { ModelRegistry, type Choices } from './model-registry.js';
import type { Choice } from './sdk-models.js';

const OFFLINE: Choice = { provider: 'offline', model: 'offline' };
const CACHED_ORGANIZATIONS = 1_000;

/** The models of one organization, and their prices. */
export interface OrganizationAi {
  provider: AiProvider;
  /** In the currency of the price table, with nine decimals. 0 for a model without a price. */
  price(by: ModelName, used: ModelUsage): Decimal;
  /**
   * Credits that a call costs the organization, with nine decimals. 0 if its AI usage has no credit price, or if the offline provider
   * answers.
   */
  credits(used: ModelUsage): Decimal;
  /** The model that is called first for a task; undefined if the task is not available. */
  nameOf(task: AiTask): ModelName | undefined;
  /** @throws AppError VALIDATION_FAILED that names `voiceName`, if it is certain that no such voice exists */
  checkVoice(voiceName: string | undefined): Promise<void>;
}

@Injectable()
export class Providers implements OnModuleInit {
  private readonly installation: Choices;
  private readonly registry: ModelRegistry;
  private readonly cipher: SecretCipher;
  private readonly built = new LRUCache<string, { version: number; ai: OrganizationAi }>(atMost(CACHED_ORGANIZATIONS));
  private hasWarnedOffline = false;

  constructor(
    @Inject(CONFIG) private readonly config: AiConfig,
    private readonly settings: SettingsRepository,
  ) {
    this.installation = { chat: OFFLINE, ...config.AI_MODELS };
    this.cipher = keyCipher(config.AI_KEY_SECRET);
    this.registry = new ModelRegistry({
      limits: {
        firstTokenMs: config.AI_FIRST_TOKEN_SECONDS * 1000,
        idleMs: config.AI_FIRST_TOKEN_SECONDS * 1000,
        totalMs: config.AI_TOTAL_SECONDS * 1000,
      },
      espeak: { program: config.ESPEAK_PATH, searchPath: config.PATH },
      pocketsphinx: { program: config.POCKETSPHINX_PATH, searchPath: config.PATH },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.registry.prepare();
  }

  /** The organization's own models, or the installation's for tasks without one, as currently configured. */
  async forOrganization(organizationId: string): Promise<OrganizationAi> {
    const row = await this.settings.find(organizationId);
    const version = row?.version ?? 0;
    const known = this.built.get(organizationId);
    if (known?.version === version) return known.ai;
    const ai = this.build(organizationId, row);
    this.built.set(organizationId, { version, ai });
    return ai;
  }

  private build(organizationId: string, row: SettingsEntity | undefined): OrganizationAi {
    const choices: Choices = { ...this.installation };
    for (const task of AI_TASKS) {
      const own = row?.choices[task];
      if (own) choices[task] = this.open(organizationId, own);
    }
    const provider = this.registry.build(choices);
    if (provider.isOffline) this.warnOffline();
    const prices = new PriceTable([row?.choices.prices ?? [], this.config.AI_PRICES]);
    const creditPrice = provider.isOffline ? undefined : row?.choices.credits;
    return {
      provider,
      price: (by, used) => prices.cost(by, used),
      credits: (used) => creditsFor(creditPrice, used),
      nameOf: (task) => provider.nameOf(task),
      checkVoice: (voiceName) => provider.checkVoice(voiceName),
    };
  }

  private open(organizationId: string, { sealedKey, ...choice }: StoredChoice): Choice {
    if (sealedKey === undefined) return choice;
    try {
      return { ...choice, apiKey: this.cipher.open(organizationId, sealedKey) };
    } catch (error) {
      logger.error({ err: error }, 'AI key of an organization cannot be decrypted: was AI_KEY_SECRET changed?');
      throw new AppError('AI_UNAVAILABLE', { message: 'The organization’s AI key can’t be read; it must be set again' });
    }
  }

  private warnOffline(): void {
    if (this.hasWarnedOffline) return;
    this.hasWarnedOffline = true;
    logger.warn('no AI model configured: the offline provider answers from the class context only');
  }
}
