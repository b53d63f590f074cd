import { Injectable } from '@nestjs/common';
import type { ClassroomCaller, classroomRpc, Permissions, RpcOutput } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { ActingParticipant } from '../participants/acting-participant.js';

/** For what another service does in a participant's name. */
@Injectable()
export class Authorize {
  constructor(
    private readonly database: Database,
    private readonly acting: ActingParticipant,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  async execute(caller: ClassroomCaller, permission?: keyof Permissions): Promise<RpcOutput<typeof classroomRpc.authorize>> {
    const { room } = await this.database.transaction((tx) =>
      permission ? this.acting.require(tx, caller, permission) : this.acting.present(tx, caller),
    );
    return { organizationId: room.organizationId, roomId: room.roomId };
  }
}
