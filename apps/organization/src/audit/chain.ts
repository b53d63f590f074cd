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
