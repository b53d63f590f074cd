import { invalidField } from '@classroom/contracts';
import { parse } from 'tldts';

/**
 * Rejects domains below which anyone may register a name, such as `*.co.uk` or `*.github.io`: a class would be framed, and its API called, by pages of
 * strangers. The list is the Public Suffix List, with its private part.
 * @throws AppError VALIDATION_FAILED
 */
export function requireOwnable(verifiedDomains: readonly string[], fieldOf = (index: number) => `verifiedDomains.${index}`): void {
  for (const [index, entry] of verifiedDomains.entries()) {
    const { hostname, publicSuffix, isIcann, isPrivate } = parse(entry.replace(/^\*\./, ''), { allowPrivateDomains: true });
    if ((isIcann || isPrivate) && hostname === publicSuffix)
      throw invalidField(fieldOf(index), `must be a domain with one owner: below ${publicSuffix}, anyone can register a name`);
  }
}

/** The entries of a verified-domain list that would cover `host`: itself, and a wildcard for each of its parents. */
export function domainsCovering(host: string): string[] {
  const labels = host.toLowerCase().split('.');
  return [host.toLowerCase(), ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

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
