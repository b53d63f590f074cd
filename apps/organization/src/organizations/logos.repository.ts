import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { In, Not } from 'typeorm';
import { OrganizationLogoEntity } from '../schema/organization-logo.entity.js';

@Injectable()
export class LogosRepository {
  constructor(private readonly database: Database) {}

  /** A part of any organization's logo: the same hash is the same picture. */
  findPart(sha256: string, number: number): Promise<OrganizationLogoEntity | null> {
    return this.database.manager.findOneBy(OrganizationLogoEntity, { sha256, number });
  }

  /** What is there of a logo, in its order. */
  async read(tx: Transaction, organizationId: string, sha256: string): Promise<Buffer> {
    const rows = await tx.manager.find(OrganizationLogoEntity, { where: { organizationId, sha256 }, order: { number: 'ASC' } });
    return Buffer.concat(rows.map(({ content }) => content));
  }

  /** Replaces the part if it is there. */
  async put(tx: Transaction, row: OrganizationLogoEntity): Promise<void> {
    await tx.manager.upsert(OrganizationLogoEntity, row, ['organizationId', 'sha256', 'number']);
  }

  async removeExcept(tx: Transaction, organizationId: string, kept: string[]): Promise<void> {
    await tx.manager.delete(OrganizationLogoEntity, { organizationId, sha256: Not(In(kept)) });
  }
}
