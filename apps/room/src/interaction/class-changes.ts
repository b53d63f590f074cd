import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { RoomsRepository, type ClassPart } from '../rooms/rooms.repository.js';
import { ClassStateBroadcaster } from './class-state-broadcaster.js';

/** Counts changes of a class's shared state and has them broadcast to the connected participants. */
@Injectable()
export class ClassChanges {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly broadcaster: ClassStateBroadcaster,
  ) {}

  /** Returns the version of a change to `parts`; `tx` must hold the room's lock. The change is broadcast after the commit. */
  async record(tx: Transaction, sid: string, ...parts: ClassPart[]): Promise<number> {
    const version = await this.rooms.bumpClassVersion(tx, sid, parts);
    tx.afterCommit(`class ${version}`, () => this.broadcaster.schedule(sid, version));
    return version;
  }
}
