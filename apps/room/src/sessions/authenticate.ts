import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, type ClassroomCaller, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { verifyJoinToken } from '../livekit/join-token.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { verifyClassroomToken } from './classroom-token.js';

@Injectable()
export class Authenticate {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly rooms: RoomReadsRepository,
  ) {}

  /**
   * Identifies the caller by the signature and age of a bearer token. `participant` accepts a join token or a classroom token,
   * `classroom` only the latter.
   * @throws AppError UNAUTHORIZED
   */
  @Handles(classroomRpc.authenticate)
  async execute({ bearer, accept }: RpcInput<typeof classroomRpc.authenticate>): Promise<ClassroomCaller> {
    const claims = this.verify(bearer, accept);
    const room = await this.rooms.findBySid(claims.sid);
    if (!room) throw new AppError('UNAUTHORIZED');
    return { ...claims, organizationId: room.organizationId };
  }

  private verify(bearer: string, accept: 'participant' | 'classroom') {
    try {
      return verifyClassroomToken(this.config, bearer);
    } catch (cause) {
      if (accept === 'classroom') throw new AppError('UNAUTHORIZED', { cause });
    }
    try {
      return { ...verifyJoinToken(this.config, bearer), sessionNumber: null };
    } catch (cause) {
      throw new AppError('UNAUTHORIZED', { cause });
    }
  }
}
