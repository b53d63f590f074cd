import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  addDomain,
  AppError,
  checkDomain,
  invalidField,
  listDomains,
  MAX_DOMAINS,
  removeDomain,
  type Domain,
  type RpcInput,
} from '@classroom/contracts';
import { DueWorks, Handles, type DueWork } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG, InBackground, logger } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';
import type { DomainProofEntity } from '../schema/domain-proof.entity.js';
import type { OrganizationEntity } from '../schema/organization.entity.js';
import { recordNameOf, requireOwnable, requireProvable } from './domain-names.js';
import { DomainProofsRepository, OrganizationsRepository } from './organizations.repository.js';
import { OrganizationChanges } from './organization-changes.js';

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

const toDomain = (domain: string, isVerified: boolean, proof: DomainProofEntity | null): Domain => ({
  domain,
  status: isVerified ? 'VERIFIED' : 'PENDING',
  record: proof && { name: recordNameOf(domain), value: proof.token },
  lookup: proof?.lookup ?? null,
  checkedAt: proof?.checkedAt?.toISOString() ?? null,
  missingSince: proof?.missingSince?.toISOString() ?? null,
});

/** Milliseconds until an attempt at one name server ends, and all attempts. */
const ATTEMPT_MS = 1_000;
const LIMIT_MS = 4_000;
/** The answer that there is no such record. Anything else is no answer. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks for the TXT records of domains. */
@Injectable()
export class DomainRecords {
  private readonly servers: readonly string[];

  constructor(@Inject(CONFIG) { DNS_SERVERS }: Pick<OrganizationConfig, 'DNS_SERVERS'>) {
    this.servers = DNS_SERVERS;
  }

  /** @param value one of the record's values */
  async find(domain: string, value: string): Promise<NonNullable<Domain['lookup']>> {
    const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: 2 });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const limit = setTimeout(() => resolver.cancel(), LIMIT_MS);
    try {
      const records = await resolver.resolveTxt(recordNameOf(domain));
      return records.some((parts) => parts.join('').trim() === value) ? 'FOUND' : 'NOT_FOUND';
    } catch (error) {
      return ABSENT.has((error as NodeJS.ErrnoException).code) ? 'NOT_FOUND' : 'NO_ANSWER';
    } finally {
      clearTimeout(limit);
    }
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const OFTEN_MS = 3 * DAY_MS;
const LAST_MS = 30 * DAY_MS;

/** When a record is looked for again: every day if it was found, otherwise first often, then daily, in the end on request only. */
export function nextCheck({ provedAt, createdAt }: Pick<DomainProofEntity, 'provedAt' | 'createdAt'>, now: Date): Date | null {
  const age = now.getTime() - createdAt.getTime();
  if (!provedAt && age >= LAST_MS) return null;
  return new Date(now.getTime() + (provedAt || age >= OFTEN_MS ? DAY_MS : 15 * MINUTE_MS));
}

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
