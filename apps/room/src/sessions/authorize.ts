import { Injectable } from '@nestjs/common';
import { classroomRpc, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { settingsOf } from '../schema/settings.js';

/** Authorizes what another service does on behalf of a participant. */
@Injectable()
export class Authorize {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(classroomRpc.authorize)
  async execute({ caller, permission }: RpcInput<typeof classroomRpc.authorize>) {
    const { room, participant } = await this.database.transaction((tx) =>
      permission ? this.authorizer.requirePermission(tx, caller, permission) : this.authorizer.requireCurrentSession(tx, caller),
    );
    const { organizationId, roomId } = room;
    return { organizationId, roomId, mayUseAi: settingsOf(room).consent.ai && participant.mayUseAi, name: participant.name };
  }
}
