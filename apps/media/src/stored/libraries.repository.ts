import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

// A process whose clock is behind does not begin the earlier month again.
const lock = sql(
  'libraries.lock',
  `INSERT INTO libraries (organization_id, month, seconds) VALUES ($1, $2, 0)
   ON CONFLICT (organization_id) DO UPDATE SET month = greatest(libraries.month, excluded.month),
     seconds = CASE WHEN libraries.month >= excluded.month THEN libraries.seconds ELSE 0 END
   RETURNING seconds`,
);

const find = sql('libraries.find', 'SELECT seconds FROM libraries WHERE organization_id = $1 AND month >= $2');

const add = sql('libraries.add', 'UPDATE libraries SET seconds = seconds + $2 WHERE organization_id = $1');

/** What was used in a month, and what is stored of an organization's videos. */
@Injectable()
export class LibrariesRepository {
  constructor(private readonly database: Database) {}

  /** Locks the organization's row until `tx` ends. @param month its beginning @returns seconds of the month */
  async lock(tx: Transaction, organizationId: string, month: Date): Promise<number> {
    return (await tx.first(lock, organizationId, month))?.seconds ?? 0;
  }

  async seconds(organizationId: string, month: Date): Promise<number> {
    return (await this.database.first(find, organizationId, month))?.seconds ?? 0;
  }

  async add(tx: Transaction, organizationId: string, seconds: number): Promise<void> {
    await tx.run(add, organizationId, seconds);
  }
}
