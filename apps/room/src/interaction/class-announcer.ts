import { Injectable } from '@nestjs/common';
import { CLASS_TOPIC, type ClassUpdate } from '@classroom/contracts';
import { logger } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassStates } from './class-states.js';

/** Changes that come together leave together: a poll that a hundred people answer is not a hundred messages. */
const GATHER_MS = 60;
/** LiveKit splits nothing: reliable data beyond about 15 KiB is not promised to arrive. */
const MAX_BYTES = 14 * 1024;

interface Pending {
  /** The version before the first change that is not told yet. */
  base: number | undefined;
}

/**
 * Tells a class what changed, by LiveKit's data packets. A convenience: whoever misses one sees the gap in the versions, or
 * asks within half a minute anyway.
 */
@Injectable()
export class ClassAnnouncer {
  private readonly pending = new Map<string, Pending>();

  constructor(
    private readonly livekit: LiveKitRooms,
    private readonly states: ClassStates,
  ) {}

  announce(sid: string, version: number): void {
    const present = this.pending.get(sid);
    if (present) {
      present.base = Math.min(present.base ?? version - 1, version - 1);
      return;
    }
    const pending: Pending = { base: version - 1 };
    this.pending.set(sid, pending);
    setTimeout(() => void this.tell(sid, pending), GATHER_MS);
  }

  private async tell(sid: string, pending: Pending): Promise<void> {
    const { base } = pending;
    pending.base = undefined;
    if (base === undefined) {
      this.pending.delete(sid);
      return;
    }
    try {
      const update = await this.states.since(sid, base);
      if (update) await this.livekit.send(sid, CLASS_TOPIC, encode(update));
    } catch (error) {
      logger.debug({ err: error, sid }, 'a class was not told what changed; it will ask');
    }
    setTimeout(() => void this.tell(sid, pending), GATHER_MS);
  }
}

function encode(update: ClassUpdate): Uint8Array {
  const whole = Buffer.from(JSON.stringify(update));
  if (whole.length <= MAX_BYTES) return whole;
  const { base, version } = update;
  return Buffer.from(JSON.stringify({ base, version, isPartial: true } satisfies ClassUpdate));
}
