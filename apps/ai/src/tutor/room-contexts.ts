import { Injectable } from '@nestjs/common';
import { setRoomContext, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { ClassInfo } from './class-info.js';
import { RoomContextsRepository } from './room-contexts.repository.js';

/** Topic and notes of a class, set by the organization's backend. */
@Injectable()
export class RoomContexts {
  constructor(
    private readonly contexts: RoomContextsRepository,
    private readonly classInfo: ClassInfo,
    private readonly clock: Clock,
  ) {}

  /**
   * An omitted field stays; null clears it.
   * @throws AppError ROOM_NOT_FOUND
   */
  @Handles(setRoomContext)
  async set({ organizationId, roomId, context }: RpcInput<typeof setRoomContext>) {
    const { sid } = await this.classInfo.room(organizationId, roomId);
    const row = await this.contexts.set(organizationId, sid, context, this.clock.now());
    return { roomId, topic: row?.topic ?? null, notes: row?.notes ?? null, updatedAt: (row?.updatedAt ?? this.clock.now()).toISOString() };
  }
}
