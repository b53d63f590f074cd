import { Injectable } from '@nestjs/common';
import { AppError, joinRoom, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { annotate } from '@classroom/platform';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ChangeRole } from '../moderation/change-role.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { Capacity } from './capacity.js';
import { IssueJoinToken, type IssuedToken } from './issue-join-token.js';

@Injectable()
export class JoinRoom {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly capacity: Capacity,
    private readonly issueJoinToken: IssueJoinToken,
    private readonly changeRole: ChangeRole,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED, ROOM_FULL */
  @Handles(joinRoom)
  async execute({ organizationId, roomId, participant }: RpcInput<typeof joinRoom>): Promise<IssuedToken> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    annotate({ 'room.sid': room.sid });
    if (room.state === 'finished') throw new AppError('ROOM_ENDED');
    await this.capacity.check(room, participant.uid);
    const issued = await this.issueJoinToken.execute(room, participant);
    if (!issued) throw new AppError('ROOM_ENDED');
    // A participant who is connected with an older token gets the role of the new one.
    if (issued.isRoleChanged) await this.changeRole.execute({ organizationId, roomId, uid: participant.uid, role: participant.role });
    // Recreates a released room immediately. If LiveKit is unreachable, the LiveKit room reconciler recreates it later.
    if (room.media !== 'open') await this.livekit.ensureRoom(room).catch(() => undefined);
    return issued.joined;
  }
}
