import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AuditChange } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Clock, currentAuditId } from '@classroom/platform';
import { AuditChangesRepository } from './audit-log.repository.js';

type Fields = Readonly<Record<string, unknown>>;

/** Stands for a value that no log may contain. */
class Withheld {
  constructor(readonly value: unknown) {}

  toJSON(): string {
    return '(withheld)';
  }
}

/** A secret, or a text that a person wrote: the log says that it changed, and not how. */
export const withheld = (value: unknown) => new Withheld(value);

/** An address without what may be a secret in it: its path, query and fragment. */
class Address extends Withheld {
  override toJSON(): string {
    return URL.canParse(String(this.value)) ? `${new URL(String(this.value)).origin}/…` : '(withheld)';
  }
}

export const originOf = (url: string | null) => (url === null ? null : new Address(url));

/** Which of the fields differ, as they were and as they are. @param before null: was created @param after null: was deleted */
export function differences(before: Fields | null, after: Fields | null): Pick<AuditChange, 'before' | 'after'> {
  const isChanged = (name: string) => !before || !after || !isDeepStrictEqual(before[name], after[name]);
  const changed = (fields: Fields | null) =>
    fields &&
    (JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(fields).filter(([name]) => isChanged(name))))) as AuditChange['before']);
  return { before: changed(before), after: changed(after) };
}

export interface Change {
  organizationId: string;
  kind: AuditChange['kind'];
  id: string;
  before: Fields | null;
  after: Fields | null;
}

/** Records for the audit log what a call changes, in the transaction of the change. */
@Injectable()
export class AuditChanges {
  constructor(
    private readonly changes: AuditChangesRepository,
    private readonly clock: Clock,
  ) {}

  /** Does nothing if the change is not caused by an audited call. */
  async record(tx: Transaction, { organizationId, kind, id, before, after }: Change, auditId = currentAuditId()): Promise<void> {
    if (auditId === undefined) return;
    await this.changes.add(tx, auditId, organizationId, { kind, id, ...differences(before, after) }, this.clock.wall());
  }
}
