import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type Transaction } from '@classroom/persistence';
import { DomainProofEntity } from '../schema/domain-proof.entity.js';
import { sql } from '../schema/sql.js';

const claimDue = sql(
  'domain-proofs.claimDue',
  `UPDATE domain_proofs SET check_at = $2 WHERE (organization_id, domain) IN (
     SELECT p.organization_id, p.domain FROM domain_proofs p JOIN organizations o USING (organization_id)
      WHERE p.check_at <= $1 AND o.closed_at IS NULL ORDER BY p.check_at LIMIT $3 FOR UPDATE OF p SKIP LOCKED)
   RETURNING ${columnsOf(DomainProofEntity)}`,
);
const removeOthers = sql(
  'domain-proofs.removeOthers',
  'DELETE FROM domain_proofs WHERE organization_id = $1 AND proved_at IS NOT NULL AND domain <> ALL ($2::text[])',
);

@Injectable()
export class DomainProofsRepository {
  constructor(private readonly database: Database) {}

  find(organizationId: string, domain: string): Promise<DomainProofEntity | null> {
    return this.database.manager.findOneBy(DomainProofEntity, { organizationId, domain });
  }

  findForUpdate(tx: Transaction, organizationId: string, domain: string): Promise<DomainProofEntity | null> {
    return tx.manager.findOne(DomainProofEntity, { where: { organizationId, domain }, lock: { mode: 'pessimistic_write' } });
  }

  list(organizationId: string): Promise<DomainProofEntity[]> {
    return this.database.manager.findBy(DomainProofEntity, { organizationId });
  }

  listIn(tx: Transaction, organizationId: string): Promise<DomainProofEntity[]> {
    return tx.manager.findBy(DomainProofEntity, { organizationId });
  }

  async insert(tx: Transaction, row: DomainProofEntity): Promise<void> {
    await tx.manager.insert(DomainProofEntity, row);
  }

  async save(tx: Transaction, row: DomainProofEntity): Promise<void> {
    await tx.manager.update(DomainProofEntity, { organizationId: row.organizationId, domain: row.domain }, row);
  }

  /** @returns whether there was one */
  async remove(tx: Transaction, organizationId: string, domain: string): Promise<boolean> {
    return (await tx.manager.delete(DomainProofEntity, { organizationId, domain })).affected === 1;
  }

  /** Removes the proofs of domains that an operator took out of the verified ones: they must not come back by themselves. */
  async removeOthers(tx: Transaction, organizationId: string, verifiedDomains: readonly string[]): Promise<void> {
    await tx.run(removeOthers, organizationId, verifiedDomains);
  }

  /** The proofs to look for now, of organizations that are not closed. Another process takes them after `until`, if this one dies. */
  claimDue(now: Date, until: Date, limit: number): Promise<DomainProofEntity[]> {
    return this.database.run(claimDue, now, until, limit);
  }
}
