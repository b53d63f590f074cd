import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database, isUniqueViolation, type PagePosition, type Transaction } from '@classroom/persistence';
import { OrganizationEntity } from '../schema/organization.entity.js';
import { sql } from '../schema/sql.js';

const anyLists = sql('organizations.anyLists', 'SELECT 1 FROM organizations WHERE verified_domains && $1::text[] LIMIT 1');

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<OrganizationEntity | null> {
    return this.database.entities((manager) => manager.findOneBy(OrganizationEntity, { organizationId }));
  }

  async anyLists(domains: string[]): Promise<boolean> {
    return (await this.database.run(anyLists, domains)).length > 0;
  }

  async findForUpdate(tx: Transaction, organizationId: string): Promise<OrganizationEntity | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return tx.manager.findOne(OrganizationEntity, { where: { organizationId }, lock });
  }

  async page(after: PagePosition | undefined, limit: number): Promise<OrganizationEntity[]> {
    return this.database.entities((manager) => {
      const query = manager
        .createQueryBuilder(OrganizationEntity, 'o')
        .orderBy('o.createdAt', 'DESC')
        .addOrderBy('o.organizationId', 'DESC')
        .limit(limit);
      if (after) query.where('(o.createdAt, o.organizationId) < (:createdAt, :id)', after);
      return query.getMany();
    });
  }

  /** @throws AppError ORGANIZATION_ALREADY_EXISTS; the primary key decides a race. */
  async insert(tx: Transaction, row: OrganizationEntity): Promise<void> {
    try {
      await tx.manager.insert(OrganizationEntity, row);
    } catch (error) {
      if (isUniqueViolation(error, 'organizations_pkey')) throw new AppError('ORGANIZATION_ALREADY_EXISTS', { cause: error });
      throw error;
    }
  }

  async save(tx: Transaction, row: OrganizationEntity): Promise<void> {
    await tx.manager.update(OrganizationEntity, { organizationId: row.organizationId }, row);
  }
}
