import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import type { Kept, SettingsRow } from './settings.row.js';

const COLUMNS = 'organization_id AS "organizationId", version, choices AS kept, updated_at AS "updatedAt"';

@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<SettingsRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM settings WHERE organization_id = $1`;
    const [row] = await this.database.prepared<SettingsRow>('ai_settings_find', sql, [organizationId]);
    return row;
  }

  /** The row as it is, or begun as an empty one, for this transaction alone. */
  async findForUpdate(tx: Transaction, organizationId: string, now: Date): Promise<SettingsRow> {
    await tx.query(
      `INSERT INTO settings (organization_id, version, choices, updated_at) VALUES ($1, 0, '{}', $2) ON CONFLICT DO NOTHING`,
      [organizationId, now],
    );
    const [row] = await tx.query<SettingsRow>(`SELECT ${COLUMNS} FROM settings WHERE organization_id = $1 FOR UPDATE`, [organizationId]);
    return row as SettingsRow;
  }

  /** Organizations after `after`, in order, that have keys of their own. */
  async withKeys(after: string, limit: number): Promise<string[]> {
    const sql = `SELECT organization_id AS id FROM settings
      WHERE organization_id > $1 AND choices::text LIKE '%"sealedKey"%' ORDER BY organization_id LIMIT $2`;
    const rows = await this.database.query<{ id: string }>(sql, [after, limit]);
    return rows.map(({ id }) => id);
  }

  async keptForUpdate(tx: Transaction, organizationId: string): Promise<Kept | undefined> {
    const [row] = await tx.query<{ kept: Kept }>('SELECT choices AS kept FROM settings WHERE organization_id = $1 FOR UPDATE', [organizationId]);
    return row?.kept;
  }

  /** The same choices, sealed otherwise: no new version, since nothing that was built with them is out of date. */
  async replaceSealed(tx: Transaction, organizationId: string, kept: Kept): Promise<void> {
    await tx.query('UPDATE settings SET choices = $2 WHERE organization_id = $1', [organizationId, JSON.stringify(kept)]);
  }

  async save(tx: Transaction, organizationId: string, kept: Kept, now: Date): Promise<void> {
    await tx.query('UPDATE settings SET version = version + 1, choices = $2, updated_at = $3 WHERE organization_id = $1', [
      organizationId,
      JSON.stringify(kept),
      now,
    ]);
  }
}
