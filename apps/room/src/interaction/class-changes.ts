import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { ClassAnnouncer } from './class-announcer.js';
import type { ClassPart } from './class-states.js';

/** Counts changes of what a class shares, and has them told to those who are there. */
@Injectable()
export class ClassChanges {
  constructor(private readonly announcer: ClassAnnouncer) {}

  /** The version of a change to `parts`; the room must be locked by `tx`. Told once it is committed. */
  async next(tx: Transaction, sid: string, ...parts: ClassPart[]): Promise<number> {
    const columns = parts.map((part) => `, ${part}_version = class_version + 1`).join('');
    const [row] = await tx.query<{ version: number }>(
      `UPDATE rooms SET class_version = class_version + 1${columns} WHERE sid = $1 RETURNING class_version::float8 AS version`,
      [sid],
    );
    const version = row?.version ?? 0;
    tx.afterCommit(`class ${version}`, () => this.announcer.announce(sid, version));
    return version;
  }
}
