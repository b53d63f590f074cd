import { Inject, Injectable } from '@nestjs/common';
import { AI_TASKS } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { CONFIG, InBackground, Resealing, UnreadableSecret, type SecretCipher } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import { keyCipher } from './ai-settings.js';
import { SettingsRepository } from './settings.repository.js';

/** Seals the keys of organizations for providers again while AI_KEY_SECRET is rotated. */
@Injectable()
export class ResealKeys {
  @InBackground() readonly resealing: Resealing<string>;
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) config: AiConfig,
    private readonly database: Database,
    private readonly settings: SettingsRepository,
  ) {
    this.cipher = keyCipher(config.AI_KEY_SECRET);
    this.resealing = new Resealing('ai-keys', config.AI_KEY_SECRET, {
      page: (last, limit) => this.settings.withKeys(last ?? '', limit),
      reseal: (organizationId) => this.reseal(organizationId),
    });
  }

  /** @throws UnreadableSecret after it has sealed the other keys */
  private async reseal(organizationId: string): Promise<number> {
    const { sealed, unreadable } = await this.database.transaction(async (tx) => {
      const stored = (await this.settings.choicesForUpdate(tx, organizationId)) ?? {};
      const counts: { sealed: number; unreadable: UnreadableSecret | undefined } = { sealed: 0, unreadable: undefined };
      for (const choice of AI_TASKS.map((task) => stored[task])) {
        if (choice?.sealedKey === undefined) continue;
        try {
          const again = this.cipher.reseal(organizationId, choice.sealedKey);
          if (again === undefined) continue;
          choice.sealedKey = again;
          counts.sealed += 1;
        } catch (error) {
          if (!(error instanceof UnreadableSecret)) throw error;
          counts.unreadable = error;
        }
      }
      if (counts.sealed > 0) await this.settings.replaceSealed(tx, organizationId, stored);
      return counts;
    });
    if (unreadable) throw unreadable;
    return sealed;
  }
}
