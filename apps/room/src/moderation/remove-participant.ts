import { Injectable } from '@nestjs/common';
import { participantRemoved, removeParticipant, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { actorOf, ClassAuthorizer, isParticipant } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { toEventRoom } from '../rooms/room.js';

@Injectable()
export class RemoveParticipant {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly attendance: AttendanceRepository,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * After the commit every token made for the participant so far is invalid; the backend may admit the participant again with a
   * new one. If LiveKit is unreachable, the reconciler evicts the participant later.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED
   */
  @Handles(removeParticipant)
  async removeParticipant(input: RpcInput<typeof removeParticipant>): Promise<RpcOutput<typeof removeParticipant>> {
    const { uid } = input;
    const actor = actorOf(input);
    const removedAt = this.clock.wall();
    const { sid, wasConnected } = await this.database.transaction(async (tx) => {
      const { room } = await this.authorizer.authorizeModeration(tx, actor, uid);
      const { isConnected } = await this.attendance.findConnectionState(tx, room.sid, uid);
      const version = await this.changes.record(tx, room.sid, 'removals', 'hands', 'speakers');
      await this.participants.markRemoved(tx, room.sid, uid, removedAt, version);
      const removedBy = isParticipant(actor) ? actor.uid : '';
      const data = { ...toEventRoom(room), uid, removedBy, removedAt: removedAt.toISOString() };
      await this.outbox.add(tx, fact(participantRemoved, room.sid, data));
      return { sid: room.sid, wasConnected: isConnected };
    });
    await this.livekit.remove(sid, uid).catch((error: unknown) => {
      logger.warn({ err: error, sid }, 'removed participant not yet evicted from LiveKit; will retry');
    });
    return { uid, wasConnected };
  }
}
