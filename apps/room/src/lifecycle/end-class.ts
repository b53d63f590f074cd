import { Injectable } from '@nestjs/common';
import { endClass, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { FinishRoom } from './finish-room.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';

@Injectable()
export class EndClass {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly finishRoom: FinishRoom,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(endClass)
  async execute({ caller }: RpcInput<typeof endClass>): Promise<RpcOutput<typeof endClass>> {
    const { room, ended } = await this.database.transaction(async (tx) => {
      const { room: locked } = await this.authorizer.requirePermission(tx, caller, 'endClass');
      return { room: locked, ended: await this.finishRoom.execute(tx, locked, 'class_ended') };
    });
    await this.finishRoom.closeMedia(room);
    return ended;
  }
}
