import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { CONFIG, InBackground, logger, Loop, type SecretCipher } from '@classroom/platform';
import type { AiConfig } from '../config.js';
import type { StoredChoices } from '../schema/settings.entity.js';
import { keyCipher } from './key-cipher.js';
import { SettingsRepository } from './settings.repository.js';
import { TASKS } from './tasks.js';

/** Milliseconds between runs. It repeats because, during a rollout, processes of the previous release still encrypt with the former secret. */
const INTERVAL_MS = 600_000;
const PAGE = 500;

interface Resealed {
  sealed: number;
  /** Keys that no secret decrypts. */
  unreadable: number;
}

/**
 * While AI_KEY_SECRET is rotated, re-encrypts with the first secret every key that was encrypted with another one. Afterwards the other
 * secrets may be removed.
 */
@Injectable()
export class ResealKeys {
  @InBackground() private readonly loop: Loop | undefined;
  private readonly cipher: SecretCipher;

  constructor(
    @Inject(CONFIG) config: AiConfig,
    private readonly database: Database,
    private readonly settings: SettingsRepository,
  ) {
    this.cipher = keyCipher(config.AI_KEY_SECRET);
    if (config.AI_KEY_SECRET.length > 1) this.loop = new Loop('ai-key-reseal', INTERVAL_MS, () => this.run().then(() => undefined));
  }

  async run(): Promise<Resealed> {
    const all: Resealed = { sealed: 0, unreadable: 0 };
    for (let page = await this.settings.withKeys('', PAGE); page.length > 0; page = await this.settings.withKeys(page.at(-1) ?? '', PAGE)) {
      for (const organizationId of page) {
        const one = await this.reseal(organizationId);
        all.sealed += one.sealed;
        all.unreadable += one.unreadable;
      }
    }
    logger.info(all, 'AI keys resealed with the first AI_KEY_SECRET');
    return all;
  }

  private reseal(organizationId: string): Promise<Resealed> {
    return this.database.transaction(async (tx) => {
      const stored = (await this.settings.choicesForUpdate(tx, organizationId)) ?? {};
      const counts = this.resealIn(stored, organizationId);
      if (counts.sealed > 0) await this.settings.replaceSealed(tx, organizationId, stored);
      return counts;
    });
  }

  private resealIn(stored: StoredChoices, organizationId: string): Resealed {
    const counts: Resealed = { sealed: 0, unreadable: 0 };
    for (const choice of TASKS.map((task) => stored[task])) {
      if (choice?.sealedKey === undefined) continue;
      try {
        const again = this.cipher.reseal(organizationId, choice.sealedKey);
        if (again === undefined) continue;
        choice.sealedKey = again;
        counts.sealed += 1;
      } catch {
        counts.unreadable += 1;
      }
    }
    return counts;
  }
}
