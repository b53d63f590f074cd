import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { PlanEntity } from '../schema/plan.entity.js';
import { sql } from '../schema/sql.js';

const add = sql(
  'plans.add',
  `INSERT INTO plans (organization_id, updated_at, billing_type, opening_credits, credit_rate, currency, balance, is_opened)
   VALUES (:organizationId, :updatedAt, :billingType, :openingCredits, :creditRate, :currency, :balance, :isOpened) ON CONFLICT DO NOTHING`,
);

@Injectable()
export class PlansRepository {
  async add(tx: Transaction, plan: PlanEntity): Promise<void> {
    await tx.run(add, plan);
  }

  /** All known states of one organization's plan, oldest first: one per change. */
  list(tx: Transaction, organizationId: string): Promise<PlanEntity[]> {
    return tx.manager.find(PlanEntity, { where: { organizationId }, order: { updatedAt: 'ASC' } });
  }

  async markOpened(tx: Transaction, { organizationId, updatedAt }: PlanEntity): Promise<void> {
    await tx.manager.update(PlanEntity, { organizationId, updatedAt }, { isOpened: true });
  }
}
