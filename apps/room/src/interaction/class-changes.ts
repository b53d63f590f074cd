import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import type { ClassPart } from '../rooms/class-parts.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ClassAnnouncer } from './class-announcer.js';

/** Counts changes of a class's shared state and has them announced to the connected participants. */
@Injectable()
export class ClassChanges {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly announcer: ClassAnnouncer,
  ) {}

  /** Returns the version of a change to `parts`; `tx` must hold the room's lock. The change is announced after the commit. */
  async next(tx: Transaction, sid: string, ...parts: ClassPart[]): Promise<number> {
    const version = await this.rooms.bumpClassVersion(tx, sid, parts);
    tx.afterCommit(`class ${version}`, () => this.announcer.announce(sid, version));
    return version;
  }
}
