import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import type { KnownPlan } from './plan-periods.js';

const COLUMNS = `organization_id AS "organizationId", updated_at AS "updatedAt", billing_type AS "billingType", opening_credits::float8 AS "openingCredits",
  credit_rate AS "creditRate", currency, balance::float8 AS balance, is_opened AS "isOpened"`;

@Injectable()
export class PlansRepository {
  async add(tx: Transaction, plan: KnownPlan): Promise<void> {
    await tx.query(
      `INSERT INTO plans (organization_id, updated_at, billing_type, opening_credits, credit_rate, currency, balance, is_opened)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [plan.organizationId, plan.updatedAt, plan.billingType, plan.openingCredits, plan.creditRate, plan.currency, plan.balance, plan.isOpened],
    );
  }

  /** All that are known of one organization, oldest first: one for each of its changes. */
  list(tx: Transaction, organizationId: string): Promise<KnownPlan[]> {
    return tx.query<KnownPlan & Record<string, unknown>>(`SELECT ${COLUMNS} FROM plans WHERE organization_id = $1 ORDER BY updated_at`, [organizationId]);
  }

  async markOpened(tx: Transaction, { organizationId, updatedAt }: KnownPlan): Promise<void> {
    await tx.query('UPDATE plans SET is_opened = true WHERE organization_id = $1 AND updated_at = $2', [organizationId, updatedAt]);
  }
}
