import { Injectable } from '@nestjs/common';
import { AppError, joinRoom, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { annotate } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ChangeRole } from '../moderation/change-role.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { Capacity } from './capacity.js';
import { DuplicateJoins } from './duplicate-joins.js';
import { IssueJoinToken, type IssuedToken } from './issue-join-token.js';

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
