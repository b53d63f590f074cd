import { Injectable } from '@nestjs/common';
import { CLASS_TOPIC, type ClassUpdate } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { Broadcaster } from '../livekit/broadcaster.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { RoomsRepository, type ClassPart } from '../rooms/rooms.repository.js';
import { ChatRepository } from './chat.repository.js';
import { ClassStates, EVERYONE } from './class-states.js';

/** Sends changes of a class's shared state. Who gets more than everyone requests it. */
@Injectable()
export class ClassStateBroadcaster extends Broadcaster<ClassUpdate> {
  constructor(
    livekit: LiveKitRooms,
    private readonly states: ClassStates,
    private readonly chat: ChatRepository,
  ) {
    super(livekit, CLASS_TOPIC);
  }

  protected async messageOf(sid: string, base: number): Promise<ClassUpdate | undefined> {
    const update = await this.states.updateSince(sid, EVERYONE, base);
    // Read afterwards: a message that was added in between is announced, and announced again with the next update.
    const hidden = update?.messages && (await this.chat.hiddenSince(sid, base));
    return update && { ...update, ...(hidden && { hidden }) };
  }

  protected withoutParts({ base, version }: ClassUpdate): ClassUpdate {
    return { base, version, isPartial: true };
  }
}

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
