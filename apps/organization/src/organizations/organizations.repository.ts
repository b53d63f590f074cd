import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { columnsOf, Database, type PagePosition, type RowOf, type Transaction } from '@classroom/persistence';
import { In, Not } from 'typeorm';
import { DashboardSessionEntity } from '../schema/dashboard-session.entity.js';
import { DomainProofEntity } from '../schema/domain-proof.entity.js';
import { OrganizationLogoEntity } from '../schema/organization-logo.entity.js';
import { OrganizationEntity } from '../schema/organization.entity.js';
import { sql } from '../schema/sql.js';

const existsWithDomain = sql('organizations.existsWithDomain', 'SELECT 1 FROM organizations WHERE verified_domains && $1::text[] LIMIT 1');
const page = sql.planned(
  'organizations.page',
  `SELECT ${columnsOf(OrganizationEntity)} FROM organizations
    WHERE $1::timestamptz IS NULL OR (created_at, organization_id) < ($1, $2) ORDER BY created_at DESC, organization_id DESC LIMIT $3`,
);

const increaseTokenVersion = sql(
  'organizations.increaseTokenVersion',
  'UPDATE organizations SET dashboard_token_version = dashboard_token_version + 1 WHERE organization_id = $1 RETURNING dashboard_token_version AS version',
);

const retentions = sql.planned(
  'organizations.retentions',
  'SELECT organization_id AS "organizationId", retention FROM organizations WHERE organization_id > $1 AND closed_at IS NULL ORDER BY organization_id LIMIT $2',
);

const joinHookSecrets = sql.planned(
  'organizations.joinHookSecrets',
  `SELECT organization_id AS "organizationId", join_hook_secret AS "secret!" FROM organizations
    WHERE organization_id > $1 AND join_hook_secret IS NOT NULL ORDER BY organization_id LIMIT $2`,
);

const resealJoinHook = sql(
  'organizations.resealJoinHook',
  'UPDATE organizations SET join_hook_secret = $3 WHERE organization_id = $1 AND join_hook_secret = $2',
);

const forget = sql(
  'organizations.forget',
  `UPDATE organizations SET name = 'Erased', verified_domains = '{}', logo_url = NULL, primary_color = NULL, accent_color = NULL, retention = NULL,
          join_hook = NULL, join_hook_secret = NULL
    WHERE organization_id = $1`,
);

const lockErased = sql.planned(
  'organizations.lockErased',
  `SELECT organization_id AS "organizationId" FROM organizations
    WHERE closed_at < $1 AND organization_id IN (SELECT organization_id FROM erasures WHERE is_of_organization AND completed_at < $1)
    LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

const remove = sql('organizations.remove', 'DELETE FROM organizations WHERE organization_id = ANY($1)');

@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  async find(organizationId: string): Promise<OrganizationEntity | null> {
    return this.database.manager.findOneBy(OrganizationEntity, { organizationId });
  }

  async existsWithDomain(domains: string[]): Promise<boolean> {
    return (await this.database.run(existsWithDomain, domains)).length > 0;
  }

  async findForUpdate(tx: Transaction, organizationId: string): Promise<OrganizationEntity | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return tx.manager.findOne(OrganizationEntity, { where: { organizationId }, lock });
  }

  /** Locks the row until `tx` ends. @throws AppError ORGANIZATION_NOT_FOUND, also if the organization is closed */
  async lock(tx: Transaction, organizationId: string): Promise<OrganizationEntity> {
    const found = await tx.manager.findOne(OrganizationEntity, { where: { organizationId }, lock: { mode: 'for_no_key_update' } });
    if (!found || found.closedAt) throw new AppError('ORGANIZATION_NOT_FOUND');
    return found;
  }

  async page(after: PagePosition | undefined, limit: number): Promise<OrganizationEntity[]> {
    return this.database.run(page, after?.createdAt ?? null, after?.id ?? null, limit);
  }

  /** @returns the version of dashboard tokens that is valid from now on @throws AppError ORGANIZATION_NOT_FOUND */
  async increaseTokenVersion(tx: Transaction, organizationId: string): Promise<number> {
    const row = await tx.first(increaseTokenVersion, organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return row.version;
  }

  /** What organizations have set, in the order of their ids. */
  retentions(after: string, limit: number): Promise<RowOf<typeof retentions>[]> {
    return this.database.run(retentions, after, limit);
  }

  /** The next secrets of join hooks, in the order of the organizations' ids. */
  joinHookSecrets(after: string, limit: number): Promise<RowOf<typeof joinHookSecrets>[]> {
    return this.database.run(joinHookSecrets, after, limit);
  }

  /** Writes nothing if the secret is another one by now. */
  async resealJoinHook(organizationId: string, before: string, secret: string): Promise<void> {
    await this.database.run(resealJoinHook, organizationId, before, secret);
  }

  /** Removes what the organization has set; its id stays. */
  async forget(tx: Transaction, organizationId: string): Promise<void> {
    await tx.run(forget, organizationId);
  }

  /** Locks organizations whose erasure was completed before this time. */
  async lockErased(tx: Transaction, before: Date, limit: number): Promise<string[]> {
    return (await tx.run(lockErased, before, limit)).map(({ organizationId }) => organizationId);
  }

  /** Their credentials must be deleted before. */
  async remove(tx: Transaction, organizationIds: string[]): Promise<void> {
    await tx.run(remove, organizationIds);
  }

  async insert(tx: Transaction, row: OrganizationEntity): Promise<void> {
    await tx.manager.insert(OrganizationEntity, row);
  }

  async save(tx: Transaction, row: OrganizationEntity): Promise<void> {
    await tx.manager.update(OrganizationEntity, { organizationId: row.organizationId }, row);
  }
}

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
