import { Injectable } from '@nestjs/common';
import { AppError, closingRpc, deleteRoom, endClass, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { annotate, failpoint, inParallel } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { FinishRoom } from './finish-room.js';

@Injectable()
export class EndRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly finishRoom: FinishRoom,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED */
  @Handles(deleteRoom)
  async execute({ organizationId, roomId }: RpcInput<typeof deleteRoom>): Promise<RpcOutput<typeof deleteRoom>> {
    const { room, ended } = await this.database.transaction(async (tx) => {
      const locked = await this.rooms.lock(tx, organizationId, roomId);
      if (!locked) throw new AppError('ROOM_NOT_FOUND');
      annotate({ 'room.sid': locked.sid });
      if (locked.state === 'finished') throw new AppError('ROOM_ENDED');
      return { room: locked, ended: await this.finishRoom.execute(tx, locked, 'deleted') };
    });
    await failpoint('room.end.after-commit');
    await this.finishRoom.closeMedia(room);
    return ended;
  }
}

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

/** Of one call, which has to be answered within its timeout: LiveKit is given 2.5 s for each class. */
const BATCH = 20;
const CONCURRENCY = 4;

/** Ends the classes of an organization that is being erased. */
@Injectable()
export class EndClasses {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly endRoom: EndRoom,
  ) {}

  @Handles(closingRpc.endClasses)
  async execute({ organizationId }: RpcInput<typeof closingRpc.endClasses>) {
    const roomIds = await this.rooms.listOpen(organizationId, BATCH);
    await inParallel(roomIds, CONCURRENCY, (roomId) => this.end(organizationId, roomId));
    return { isDone: roomIds.length === 0 };
  }

  private async end(organizationId: string, roomId: string): Promise<void> {
    try {
      await this.endRoom.execute({ organizationId, roomId });
    } catch (error) {
      // Ended by another call, or not yet created in LiveKit: the next call looks again.
      const isOver = error instanceof AppError && (error.code === 'ROOM_ENDED' || error.code === 'ROOM_NOT_FOUND');
      if (!isOver) throw error;
    }
  }
}
