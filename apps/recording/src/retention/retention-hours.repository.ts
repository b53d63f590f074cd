import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const find = sql('retention-hours.find', 'SELECT hours FROM retention_hours WHERE organization_id = $1');
const save = sql(
  'retention-hours.save',
  `INSERT INTO retention_hours (organization_id, hours) VALUES ($1, $2)
   ON CONFLICT (organization_id) DO UPDATE SET hours = $2 WHERE retention_hours.hours <> $2 RETURNING 1`,
);
const remove = sql('retention-hours.remove', 'DELETE FROM retention_hours WHERE organization_id = $1 RETURNING 1');

@Injectable()
export class RetentionHoursRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string, runner: Database | Transaction = this.database): Promise<number | undefined> {
    return (await runner.first(find, organizationId))?.hours;
  }

  /** @param hours null removes what was set. @returns whether that is a change */
  async save(tx: Transaction, organizationId: string, hours: number | null): Promise<boolean> {
    const changed = hours === null ? await tx.run(remove, organizationId) : await tx.run(save, organizationId, hours);
    return changed.length > 0;
  }
}
