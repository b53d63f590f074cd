import { Injectable } from '@nestjs/common';
import { AppError, checkDomain, MAX_DOMAINS, type Domain, type RpcInput } from '@classroom/contracts';
import { DueWorks, Handles, type DueWork } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, InBackground, logger } from '@classroom/platform';
import { DomainProofsRepository } from '../organizations/domain-proofs.repository.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { ChangeDomains } from './change-domains.js';
import { DomainRecords } from './domain-records.js';
import { nextCheck } from './next-check.js';
import { toDomain } from './to-domain.js';

const INTERVAL_MS = 5_000;
const PARALLEL = 20;
/** Longer than a lookup takes. */
const LEASE_MS = 60_000;

/** Looks for the records that prove domains: on request, and by itself. A domain is verified when its record is found, and stays so if it vanishes. */
@Injectable()
export class CheckDomains {
  @InBackground() private readonly work: DueWork<{ organizationId: string; domain: string; token: string }>;

  constructor(
    dueWorks: DueWorks,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly proofs: DomainProofsRepository,
    private readonly domains: ChangeDomains,
    private readonly records: DomainRecords,
    private readonly clock: Clock,
  ) {
    this.work = dueWorks.declare({
      name: 'domain-checks',
      intervalMs: INTERVAL_MS,
      keyOf: ({ organizationId, domain }) => `${organizationId} ${domain}`,
      claim: (now, limit) => proofs.claimDue(now, new Date(now.getTime() + LEASE_MS), limit),
      run: async ({ organizationId, domain, token }) => {
        const lookup = await this.records.find(domain, token);
        // Removed, or its organization closed, in the meantime.
        await this.apply(organizationId, domain, lookup).catch(ignoreNotFound);
      },
      parallel: PARALLEL,
    });
  }

  /** @throws AppError NOT_FOUND if no proof of the domain is awaited or was found */
  @Handles(checkDomain)
  async check({ organizationId, domain }: RpcInput<typeof checkDomain>): Promise<Domain> {
    const proof = await this.proofs.find(organizationId, domain);
    if (!proof) throw new AppError('NOT_FOUND');
    return this.apply(organizationId, domain, await this.records.find(domain, proof.token));
  }

  private apply(organizationId: string, domain: string, lookup: NonNullable<Domain['lookup']>): Promise<Domain> {
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.findForUpdate(tx, organizationId);
      const proof = await this.proofs.findForUpdate(tx, organizationId, domain);
      if (!row || row.closedAt || !proof) throw new AppError('NOT_FOUND');
      const now = this.clock.now();
      Object.assign(proof, { lookup, checkedAt: now });
      if (lookup === 'FOUND') {
        proof.missingSince = null;
        if (!proof.provedAt && row.verifiedDomains.length < MAX_DOMAINS) {
          proof.provedAt = now;
          await this.domains.verify(tx, row, domain);
        }
      } else if (lookup === 'NOT_FOUND' && proof.provedAt && !proof.missingSince) {
        proof.missingSince = now;
        logger.warn({ organizationId, domain }, 'the record that proved a verified domain is missing');
      }
      proof.checkAt = nextCheck(proof, now);
      await this.proofs.save(tx, proof);
      return toDomain(domain, row.verifiedDomains.includes(domain), proof);
    });
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
}
