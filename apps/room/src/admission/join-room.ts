import { Injectable } from '@nestjs/common';
import { AppError, joinRoom, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { annotate } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ChangeRole } from '../interaction/moderate-participants.js';
import { RightsReconciler } from '../participants/participant-rights.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';
import { IssueJoinToken, type IssuedToken } from './issue-join-token.js';

@Injectable()
export class Capacity {
  constructor(private readonly attendance: AttendanceRepository) {}

  /**
   * A uid that is already connected takes no further place. LiveKit checks the limit again when a participant connects. Through closed doors
   * comes who was in class before.
   * @param tx the caller's transaction, if it has one, so that the check does not wait for a second database connection
   * @throws AppError ROOM_FULL
   */
  async check(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (room.doorsClosed && !(await this.attendance.hasJoined(room.sid, uid, tx)))
      throw new AppError('ROOM_FULL', { message: 'The budget of the class has closed its doors' });
    if (room.participantCount < settingsOf(room).maxParticipants) return;
    if (!(await this.attendance.isConnected(room.sid, uid, tx))) throw new AppError('ROOM_FULL');
  }
}

/** Refuses a second device of a participant, where the class does. */
@Injectable()
export class DuplicateJoins {
  constructor(
    private readonly attendance: AttendanceRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** Our rows may be later than LiveKit, which is asked before a refusal. @throws AppError ALREADY_CONNECTED, SERVICE_UNAVAILABLE */
  async check(room: Room, uid: string): Promise<void> {
    await this.checkRows(room, uid).catch((error: unknown) => this.confirm(error, room.sid, uid));
  }

  /** The same by our rows alone, for a transaction. @throws AppError ALREADY_CONNECTED */
  async checkRows(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (settingsOf(room).duplicateJoin === 'refuse' && (await this.attendance.isConnected(room.sid, uid, tx)))
      throw new AppError('ALREADY_CONNECTED');
  }

  /** @throws `error` unless it is a refusal by our rows of a participant whom LiveKit does not have; AppError SERVICE_UNAVAILABLE */
  async confirm(error: unknown, sid: string, uid: string): Promise<void> {
    const isRefusal = error instanceof AppError && error.code === 'ALREADY_CONNECTED';
    if (!isRefusal || (await this.livekit.participant(sid, uid))) throw error;
  }
}

@Injectable()
export class JoinRoom {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly capacity: Capacity,
    private readonly duplicateJoins: DuplicateJoins,
    private readonly issueJoinToken: IssueJoinToken,
    private readonly changeRole: ChangeRole,
    private readonly rights: RightsReconciler,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED, ROOM_FULL, ALREADY_CONNECTED, SERVICE_UNAVAILABLE */
  @Handles(joinRoom)
  async execute({ organizationId, roomId, participant, sessionsOnly }: RpcInput<typeof joinRoom>): Promise<IssuedToken> {
    const room = await this.rooms.findForJoin(organizationId, roomId, participant.uid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    annotate({ 'room.sid': room.sid });
    if (room.state === 'finished') throw new AppError('ROOM_ENDED');
    await this.capacity.check(room, participant.uid);
    await this.duplicateJoins.check(room, participant.uid);
    const issued = await this.issueJoinToken.execute(room, participant, sessionsOnly);
    if (!issued) throw new AppError('ROOM_ENDED');
    // A participant who is connected with an older token gets the role and the permissions of the new one.
    const { uid, role } = participant;
    if (issued.isRoleChanged) await this.changeRole.execute({ organizationId, roomId, uid, role });
    else if (issued.arePermissionsChanged) await this.rights.applyOwn(room, uid);
    // Recreates a released room immediately. If LiveKit is unreachable, the LiveKit room reconciler recreates it later.
    if (room.media !== 'open') await this.livekit.ensureRoom(room).catch(() => undefined);
    return issued.joined;
  }
}
