import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  addDomain,
  AppError,
  invalidField,
  listDomains,
  MAX_DOMAINS,
  removeDomain,
  type Domain,
  type RpcInput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import type { DomainProofEntity } from '../schema/domain-proof.entity.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { recordNameOf, requireOwnable, requireProvable } from './domain-names.js';
import { DomainProofsRepository } from './domain-proofs.repository.js';
import { OrganizationChanges } from './organization-changes.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class ChangeDomains {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly proofs: DomainProofsRepository,
    private readonly changes: OrganizationChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * A domain that was added before keeps the value of its record.
   * @throws AppError ORGANIZATION_NOT_FOUND, VALIDATION_FAILED
   */
  @Handles(addDomain)
  async add({ organizationId, domain, verification }: RpcInput<typeof addDomain>) {
    requireOwnable([domain], () => 'domain');
    if (verification === 'dns') requireProvable(domain);
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.lock(tx, organizationId);
      const known = await this.proofs.listIn(tx, organizationId);
      if (new Set([...row.verifiedDomains, ...known.map((one) => one.domain), domain]).size > MAX_DOMAINS)
        throw invalidField('domain', `an organization has at most ${MAX_DOMAINS} domains`);
      if (verification === 'manual') {
        await this.proofs.remove(tx, organizationId, domain);
        await this.verify(tx, row, domain);
        return toDomain(domain, true, null);
      }
      const proof = known.find((one) => one.domain === domain) ?? newProof(organizationId, domain, this.clock.now());
      if (!known.includes(proof)) await this.proofs.insert(tx, proof);
      return toDomain(domain, row.verifiedDomains.includes(domain), proof);
    });
  }

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(listDomains)
  async list({ organizationId }: RpcInput<typeof listDomains>) {
    const row = await this.organizations.find(organizationId);
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    const proofs = new Map((await this.proofs.list(organizationId)).map((proof) => [proof.domain, proof]));
    const names = [...new Set([...row.verifiedDomains, ...proofs.keys()])].sort();
    return { domains: names.map((name) => toDomain(name, row.verifiedDomains.includes(name), proofs.get(name) ?? null)) };
  }

  /** @throws AppError NOT_FOUND */
  @Handles(removeDomain)
  async remove({ organizationId, domain }: RpcInput<typeof removeDomain>) {
    await this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      const isVerified = row?.verifiedDomains.includes(domain) ?? false;
      const wasAwaited = await this.proofs.remove(tx, organizationId, domain);
      if (!row || (!isVerified && !wasAwaited)) throw new AppError('NOT_FOUND');
      const others = row.verifiedDomains.filter((one) => one !== domain);
      if (isVerified) await this.changes.save(tx, row, { verifiedDomains: others });
    });
    return { domain };
  }

  /** From now on, pages on the domain may embed classes. */
  async verify(tx: Transaction, row: OrganizationEntity, domain: string): Promise<void> {
    const { verifiedDomains } = row;
    if (!verifiedDomains.includes(domain)) await this.changes.save(tx, row, { verifiedDomains: [...verifiedDomains, domain] });
  }
}

const newProof = (organizationId: string, domain: string, now: Date) => ({
  organizationId,
  domain,
  token: `vcd_${randomBytes(24).toString('base64url')}`,
  createdAt: now,
  lookup: null,
  checkedAt: null,
  provedAt: null,
  missingSince: null,
  checkAt: now,
});

export const toDomain = (domain: string, isVerified: boolean, proof: DomainProofEntity | null): Domain => ({
  domain,
  status: isVerified ? 'VERIFIED' : 'PENDING',
  record: proof && { name: recordNameOf(domain), value: proof.token },
  lookup: proof?.lookup ?? null,
  checkedAt: proof?.checkedAt?.toISOString() ?? null,
  missingSince: proof?.missingSince?.toISOString() ?? null,
});
