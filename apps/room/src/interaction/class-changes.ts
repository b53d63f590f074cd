import { Injectable } from '@nestjs/common';
import { CLASS_TOPIC, type ClassUpdate } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { RoomsRepository, type ClassPart } from '../rooms/rooms.repository.js';
import { ChatRepository } from './chat.repository.js';
import { ClassStates, EVERYONE } from './class-states.js';

/** Milliseconds for which changes are collected: a poll that a hundred participants answer must not cause a hundred messages. */
const BATCH_WINDOW_MS = 60;
/** LiveKit does not split data packets: reliable data beyond about 15 KiB may not arrive. */
const MAX_BYTES = 14 * 1024;

interface Pending {
  /** The version before the first change that is not sent yet; undefined if every change is sent. */
  base: number | undefined;
}

/**
 * Sends changes to a class, by LiveKit's data packets. A page that misses a packet sees the gap in the versions, or requests
 * the state within half a minute in any case. A packet reaches everyone in class, so it contains only what everyone may read; who gets
 * more requests it.
 */
@Injectable()
export class ClassStateBroadcaster {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly livekit: LiveKitRooms,
    private readonly states: ClassStates,
    private readonly chat: ChatRepository,
  ) {}

  schedule(sid: string, version: number): void {
    const present = this.pending.get(sid);
    if (present) {
      present.base = Math.min(present.base ?? version - 1, version - 1);
      return;
    }
    const pending: Pending = { base: version - 1 };
    this.pending.set(sid, pending);
    setTimeout(() => void this.broadcast(sid, pending), BATCH_WINDOW_MS);
  }

  private async broadcast(sid: string, pending: Pending): Promise<void> {
    const { base } = pending;
    pending.base = undefined;
    if (base === undefined) {
      this.pending.delete(sid);
      return;
    }
    try {
      const update = await this.states.updateSince(sid, EVERYONE, base);
      // Read afterwards: a message that was added in between is announced, and announced again with the next update.
      const hidden = update?.messages && (await this.chat.hiddenSince(sid, base));
      if (update) await this.livekit.send(sid, CLASS_TOPIC, encode({ ...update, ...(hidden && { hidden }) }));
    } catch (error) {
      logger.debug({ err: error, sid }, 'class update not sent; clients will poll');
    }
    setTimeout(() => void this.broadcast(sid, pending), BATCH_WINDOW_MS);
  }
}

function encode(update: ClassUpdate): Uint8Array {
  const whole = Buffer.from(JSON.stringify(update));
  if (whole.length <= MAX_BYTES) return whole;
  const { base, version } = update;
  return Buffer.from(JSON.stringify({ base, version, isPartial: true } satisfies ClassUpdate));
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
