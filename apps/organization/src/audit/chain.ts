import { createHash } from 'node:crypto';
import type { AuditEntryEntity } from '../schema/audit-entry.entity.js';

export type Unchained = Omit<AuditEntryEntity, 'hash'>;

const VERSION = 1;

/** The hash of an entry: over its number, everything that it says, and the hash of the entry before. @param previous null for the first entry */
export function hashOf(entry: Unchained, previous: Buffer | null): Buffer {
  const { organizationId, sequence, entryId, at, actorType, actorId, operation, address, requestId, target, fields, changes, status } =
    entry;
  const said = [actorType, actorId, operation, address, requestId, target, fields, changes, status];
  const text = JSON.stringify([VERSION, organizationId, sequence, entryId, at.toISOString(), ...said, previous?.toString('hex') ?? null]);
  return createHash('sha256').update(text).digest();
}

/** Follows one log from its first entry. After a problem it continues, so that later ones are found as well. */
export class ChainVerifier {
  private sequence = 0;
  private hash: Buffer | null = null;
  readonly problems: string[] = [];

  /** @param entry the next one, in the order of `sequence` */
  add(entry: AuditEntryEntity): void {
    const expected = this.sequence + 1;
    if (entry.sequence !== expected) this.problems.push(`entries ${expected} to ${entry.sequence - 1} are missing`);
    // After a gap, the hash of the entry before is unknown.
    else if (!hashOf(entry, this.hash).equals(entry.hash))
      this.problems.push(`entry ${entry.sequence} (${entry.entryId}) was changed or moved, or the one before it was`);
    this.sequence = entry.sequence;
    this.hash = entry.hash;
  }

  /** @param head what was recorded of the newest entry; undefined if nothing was */
  end(head: { sequence: number; hash: Buffer } | undefined): void {
    if (!head) this.problems.push('the record of the newest entry is missing');
    else if (head.sequence > this.sequence) this.problems.push(`entries ${this.sequence + 1} to ${head.sequence} are missing, the newest`);
    else if (head.sequence < this.sequence || !this.hash?.equals(head.hash))
      this.problems.push(`entry ${this.sequence} is not the one that was recorded as the newest`);
  }
}
