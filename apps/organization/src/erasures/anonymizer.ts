import type { PersonOrClass } from '@classroom/contracts';
import { isAlias, newAlias } from '@classroom/platform';
import { PERSONAL, UIDS } from '../events/to-public-events.js';

/** Fields that a backend or a teacher wrote about a class. */
const WRITTEN = new Set(['title', 'description', 'roomTitle']);

/** Replaces a person, or everyone in a class, in JSON values. The same person has the same pseudonym in all values of one anonymizer. */
export class Anonymizer {
  private readonly aliases = new Map<string, string>();

  constructor(private readonly subject: PersonOrClass) {}

  /** @returns a changed copy; undefined if nothing of the subject is in the value */
  anonymize(value: unknown): unknown {
    if ('roomId' in this.subject && !mentions(value, this.subject.roomId)) return undefined;
    const copy = this.replace(value);
    return JSON.stringify(copy) === JSON.stringify(value) ? undefined : copy;
  }

  private replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.replace(one));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    const isPerson = fields.some(([key, one]) => UIDS.has(key) && this.isErased(one));
    return Object.fromEntries(
      fields.map(([key, one]) => {
        if (UIDS.has(key) && this.isErased(one)) return [key, this.aliasOf(one)];
        if (isPerson && key in PERSONAL) return [key, PERSONAL[key]];
        if ('roomId' in this.subject && WRITTEN.has(key) && typeof one === 'string') return [key, 'Erased'];
        return [key, this.replace(one)];
      }),
    );
  }

  private isErased(uid: unknown): uid is string {
    if (typeof uid !== 'string' || uid === '' || isAlias(uid)) return false;
    return 'roomId' in this.subject || uid === this.subject.uid;
  }

  private aliasOf(uid: string): string {
    const alias = this.aliases.get(uid) ?? newAlias();
    this.aliases.set(uid, alias);
    return alias;
  }
}

function mentions(value: unknown, roomId: string): boolean {
  if (Array.isArray(value)) return value.some((one) => mentions(one, roomId));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, one]) => (key === 'roomId' && one === roomId) || mentions(one, roomId));
}
