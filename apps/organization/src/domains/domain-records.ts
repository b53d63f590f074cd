import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { invalidField, type Domain } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { OrganizationConfig } from '../config.js';

/** Milliseconds until an attempt at one name server ends, and all attempts. */
const ATTEMPT_MS = 1_000;
const LIMIT_MS = 4_000;
/** The answer that there is no such record. Anything else is no answer. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
const LONGEST_NAME = 253;
const NAMED = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** The name of the TXT record that proves a domain. A wildcard is proved by the domain below which it is, and a port by its host. */
export const recordNameOf = (domain: string): string => `_virtual-classroom.${domain.replace(/^\*\./, '').replace(/:\d+$/, '')}`;

/** @throws AppError VALIDATION_FAILED if DNS cannot prove it: a name without a dot, or an address */
export function requireProvable(domain: string): void {
  const name = recordNameOf(domain);
  const host = name.slice(name.indexOf('.') + 1);
  if (!NAMED.test(host) || name.length > LONGEST_NAME)
    throw invalidField('domain', 'must be a domain of the DNS, such as school.example, or be verified manually');
}

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
