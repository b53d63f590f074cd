import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Transaction } from '@classroom/persistence';
import { SettingsEntity, type StoredChoices } from '../schema/settings.entity.js';
import { sql } from '../schema/sql.js';

const LOCK = { mode: 'pessimistic_write' } as const;

const find = sql('settings.find', `SELECT ${columnsOf(SettingsEntity)} FROM settings WHERE organization_id = $1`);

const begin = sql(
  'settings.begin',
  `INSERT INTO settings (organization_id, version, choices, updated_at) VALUES ($1, 0, '{}', $2) ON CONFLICT DO NOTHING`,
);

const withKeys = sql.planned(
  'settings.withKeys',
  `SELECT organization_id AS id FROM settings
    WHERE organization_id > $1 AND choices::text LIKE '%"sealedKey"%' ORDER BY organization_id LIMIT $2`,
);

const save = sql('settings.save', 'UPDATE settings SET version = version + 1, choices = $2, updated_at = $3 WHERE organization_id = $1');

@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<SettingsEntity | undefined> {
    return this.database.first(find, organizationId);
  }

  /** Creates an empty row if there is none, and locks it until `tx` ends. */
  async findForUpdate(tx: Transaction, organizationId: string, now: Date): Promise<SettingsEntity> {
    await tx.run(begin, organizationId, now);
    return tx.manager.findOneOrFail(SettingsEntity, { where: { organizationId }, lock: LOCK });
  }

  /** Organizations with API keys of their own, in order, after `after`. */
  async withKeys(after: string, limit: number): Promise<string[]> {
    const rows = await this.database.run(withKeys, after, limit);
    return rows.map(({ id }) => id);
  }

  async choicesForUpdate(tx: Transaction, organizationId: string): Promise<StoredChoices | undefined> {
    const row = await tx.manager.findOne(SettingsEntity, { where: { organizationId }, lock: LOCK });
    return row?.choices;
  }

  /** Stores the same choices with re-encrypted keys. The version stays, because providers built from them remain valid. */
  async replaceSealed(tx: Transaction, organizationId: string, stored: StoredChoices): Promise<void> {
    await tx.manager.update(SettingsEntity, { organizationId }, { choices: stored });
  }

  async save(tx: Transaction, organizationId: string, stored: StoredChoices, now: Date): Promise<void> {
    await tx.run(save, organizationId, JSON.stringify(stored), now);
  }
}
