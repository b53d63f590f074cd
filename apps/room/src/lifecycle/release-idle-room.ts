import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ReconcileRoom } from '../presence/presence-reconciler.js';
import { FinishRoom } from './finish-room.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

/** From the expiry of a room's last token. LiveKit accepts a token for a minute after its expiry, and we store the expiry to the minute. */
const UNUSED_MS = 180_000;

/** A room whose tokens expired unused costs LiveKit 190 kB for nothing: it is removed from LiveKit, and the next join recreates it. */
@Injectable()
export class ReleaseIdleRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly reads: RoomReadsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
    private readonly finishRoom: FinishRoom,
    private readonly clock: Clock,
  ) {}

  /** Tokens that expired by this time can no longer open a room. */
  expiredBefore(): Date {
    return new Date(this.clock.wall().getTime() - UNUSED_MS);
  }

  async execute(sid: string): Promise<void> {
    const participants = await this.livekit.participants(sid);
    if (participants && participants.length > 0) return this.reconcileRoom.execute(sid);
    const released = await this.database.transaction(async (tx) => {
      const room = await this.rooms.lockBySid(tx, sid);
      const expired = room?.tokensExpireAt && room.tokensExpireAt <= this.expiredBefore();
      if (!room || room.state !== 'created' || room.media !== 'open' || !expired) return undefined;
      await this.rooms.markMediaClosing(tx, sid);
      return room;
    });
    if (!released) return;
    await this.finishRoom.closeMedia(released);
    // Recreates the room for a join that, in the meantime, read that LiveKit has the room, or created it before it was deleted.
    const room = await this.reads.findBySid(sid);
    if (room?.media === 'open') await this.livekit.ensureRoom(room);
  }
}
