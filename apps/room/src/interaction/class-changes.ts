import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import type { ClassPart } from '../rooms/class-parts.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ClassAnnouncer } from './class-announcer.js';

/** Counts changes of what a class shares, and has them announced to those who are there. */
@Injectable()
export class ClassChanges {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly announcer: ClassAnnouncer,
  ) {}

  /** The version of a change to `parts`; the room must be locked by `tx`. Announced once it is committed. */
  async next(tx: Transaction, sid: string, ...parts: ClassPart[]): Promise<number> {
    const version = await this.rooms.bumpClassVersion(tx, sid, parts);
    tx.afterCommit(`class ${version}`, () => this.announcer.announce(sid, version));
    return version;
  }
}
