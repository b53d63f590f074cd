import { logger } from '@classroom/platform';
import type { LiveKitRooms } from './livekit-rooms.js';

/** Milliseconds after a message for which changes are collected: a poll that a hundred participants answer must not cause a hundred messages. */
const BATCH_WINDOW_MS = 60;
/** LiveKit does not split data packets: reliable data beyond about 15 KiB may not arrive. */
const MAX_BYTES = 14 * 1024;

interface Pending {
  /** The version before the first change that is not sent yet; undefined if every change is sent. */
  base: number | undefined;
}

interface Versions {
  base: number;
  version: number;
}

/**
 * Sends changes to a class by LiveKit's data packets. Each says after which version it applies. A page that misses one sees the gap, or
 * requests the state within half a minute in any case. A packet reaches everyone in class, so it contains only what everyone may read.
 */
export abstract class Broadcaster<Update extends Versions = Versions> {
  private readonly pending = new Map<string, Pending>();

  protected constructor(
    private readonly livekit: LiveKitRooms,
    private readonly topic: string,
  ) {}

  /** What changed after `base`; undefined if the class is gone. */
  protected abstract messageOf(sid: string, base: number): Promise<Update | undefined>;

  /** A message that is too large for a packet, without what makes it large: who gets it fetches the rest. */
  protected abstract withoutParts(update: Update): Update;

  /** The same as several packets, which arrive in their order. @param whole its JSON @returns undefined if everyone should fetch it */
  protected piecesOf(_update: Update, _whole: Buffer): object[] | undefined {
    return undefined;
  }

  schedule(sid: string, version: number): void {
    const present = this.pending.get(sid);
    if (present) {
      present.base = Math.min(present.base ?? version - 1, version - 1);
      return;
    }
    const pending: Pending = { base: version - 1 };
    this.pending.set(sid, pending);
    void this.broadcast(sid, pending);
  }

  private async broadcast(sid: string, pending: Pending): Promise<void> {
    const { base } = pending;
    pending.base = undefined;
    if (base === undefined) {
      this.pending.delete(sid);
      return;
    }
    try {
      const update = await this.messageOf(sid, base);
      for (const packet of update ? this.encode(update) : []) await this.livekit.send(sid, this.topic, packet);
    } catch (error) {
      logger.debug({ err: error, sid }, `${this.topic} update not sent; clients will poll`);
    }
    setTimeout(() => void this.broadcast(sid, pending), BATCH_WINDOW_MS);
  }

  private encode(update: Update): Uint8Array[] {
    const whole = Buffer.from(JSON.stringify(update));
    if (whole.length <= MAX_BYTES) return [whole];
    const messages = this.piecesOf(update, whole) ?? [this.withoutParts(update)];
    return messages.map((message) => Buffer.from(JSON.stringify(message)));
  }
}
