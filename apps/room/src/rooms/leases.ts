import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';

/** One process at a time does a thing; when it dies another takes over after `ttlMs`. */
@Injectable()
export class Leases {
  private readonly holder = randomUUID();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async hold(name: string, ttlMs: number): Promise<boolean> {
    const now = this.clock.wall();
    const rows = await this.database.query(
      `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, $4)
       ON CONFLICT (name) DO UPDATE SET holder = $2, expires_at = $4
         WHERE leases.holder = $2 OR leases.expires_at < $3
       RETURNING 1`,
      [name, this.holder, now, new Date(now.getTime() + ttlMs)],
    );
    return rows.length === 1;
  }

  async release(name: string): Promise<void> {
    await this.database.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, this.holder]);
  }
}
