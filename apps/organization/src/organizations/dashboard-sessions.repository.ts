import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In } from 'typeorm';
import { DashboardSessionEntity } from '../schema/dashboard-session.entity.js';
import { sql } from '../schema/sql.js';

const deleteExpired = sql(
  'dashboard-sessions.deleteExpired',
  `DELETE FROM dashboard_sessions WHERE (organization_id, session_id) IN (
     SELECT organization_id, session_id FROM dashboard_sessions WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1`,
);

@Injectable()
export class DashboardSessionsRepository {
  constructor(private readonly database: Database) {}

  async add(row: DashboardSessionEntity): Promise<void> {
    await this.database.manager.insert(DashboardSessionEntity, row);
  }

  isOpen(organizationId: string, sessionId: string): Promise<boolean> {
    return this.database.manager.existsBy(DashboardSessionEntity, { organizationId, sessionId });
  }

  /** @returns whether it was open */
  async remove(tx: Transaction, organizationId: string, sessionId: string): Promise<boolean> {
    return (await tx.manager.delete(DashboardSessionEntity, { organizationId, sessionId })).affected === 1;
  }

  /** @returns whether one was open */
  async removeOfKeys(tx: Transaction, organizationId: string, keyIds: readonly string[]): Promise<boolean> {
    return (await tx.manager.delete(DashboardSessionEntity, { organizationId, keyId: In(keyIds) })).affected !== 0;
  }

  /** @returns how many, at most `limit` */
  async deleteExpired(before: Date, limit: number): Promise<number> {
    return (await this.database.run(deleteExpired, before, limit)).length;
  }
}
