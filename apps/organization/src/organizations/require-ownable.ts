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
