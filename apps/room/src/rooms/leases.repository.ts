import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { LeaseEntity } from '../schema/lease.entity.js';
import { sql } from '../schema/sql.js';

const take = sql(
  'leases.take',
  `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $4)
   ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4
     WHERE leases.holder = $2 OR leases.expires_at < $3
   RETURNING 1`,
);

@Injectable()
export class LeasesRepository {
  constructor(private readonly database: Database) {}

  /** @returns whether `holder` has the lease until `expiresAt` */
  async take({ name, holder, expiresAt }: LeaseEntity, now: Date): Promise<boolean> {
    return (await this.database.run(take, name, holder, now, expiresAt)).length === 1;
  }

  async release(name: string, holder: string): Promise<void> {
    await this.database.manager.delete(LeaseEntity, { name, holder });
  }
}
