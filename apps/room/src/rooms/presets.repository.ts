import { Injectable } from '@nestjs/common';
import { MAX_PRESETS } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { PresetEntity } from '../schema/preset.entity.js';
import { sql } from '../schema/sql.js';

const find = sql(
  'presets.find',
  'SELECT name, customization, settings, updated_at AS "updatedAt" FROM presets WHERE organization_id = $1 AND name = $2',
);

const set = sql.planned(
  'presets.set',
  `INSERT INTO presets (organization_id, name, customization, settings, updated_at) SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM presets WHERE organization_id = $1 AND name <> $2) < ${MAX_PRESETS}
   ON CONFLICT (organization_id, name) DO UPDATE SET customization = $3, settings = $4, updated_at = $5
   RETURNING 1`,
);

export type PresetRow = Omit<PresetEntity, 'organizationId'>;

/** The only writer of `presets`. */
@Injectable()
export class PresetsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string, name: string): Promise<PresetRow | undefined> {
    return this.database.first(find, organizationId, name);
  }

  /** By name. */
  async list(organizationId: string): Promise<PresetRow[]> {
    return this.database.manager.find(PresetEntity, { where: { organizationId }, order: { name: 'ASC' }, take: MAX_PRESETS });
  }

  /** @returns false if the organization has as many as it can have. Requests at the same time may add a few more. */
  async set({ organizationId, name, customization, settings, updatedAt }: PresetEntity): Promise<boolean> {
    const json = [JSON.stringify(customization), JSON.stringify(settings)] as const;
    return (await this.database.run(set, organizationId, name, ...json, updatedAt)).length === 1;
  }

  /** @returns whether there was one */
  async delete(organizationId: string, name: string): Promise<boolean> {
    return (await this.database.manager.delete(PresetEntity, { organizationId, name })).affected === 1;
  }
}
