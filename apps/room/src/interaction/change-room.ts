import { Injectable } from '@nestjs/common';
import {
  changedConsent,
  changeRoom,
  changeRoomInClass,
  roomUpdated,
  type Permissions,
  type RoomDetails,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { ClassChanges } from './class-changes.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { toEventRoom } from '../rooms/room.js';
import { ReconcileRoom } from '../presence/reconcile-room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ClassAuthorizer, type Actor } from '../participants/class-authorizer.js';

type Change = RpcInput<typeof changeRoom>['change'];

/** Who manages participants may change the chat settings. */
function permissionFor({ title, roomDescription, settings = {} }: Change): keyof Permissions {
  const { chat, maxParticipants, emptyTimeout } = settings;
  const others = [title, roomDescription, maxParticipants, emptyTimeout];
  return chat && others.every((value) => value === undefined) ? 'manageParticipants' : 'changeRoom';
}

@Injectable()
export class ChangeRoom {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly rooms: RoomsRepository,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
    private readonly clock: Clock,
  ) {}

  @Handles(changeRoomInClass)
  async changeRoomInClass({ caller, change }: RpcInput<typeof changeRoomInClass>) {
    return this.change(caller, change);
  }

  @Handles(changeRoom)
  async changeRoom({ organizationId, roomId, change }: RpcInput<typeof changeRoom>) {
    return this.change({ organizationId, roomId }, change);
  }

  /**
   * Changes title, description, limits, chat and consent settings. A lower participant limit only affects later joins: no participant is evicted. For a
   * higher limit the room is recreated in LiveKit, which does not change the limit of an existing room: everyone is
   * disconnected and reconnects automatically within a second or two.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, ROOM_ENDED
   */
  private async change(actor: Actor, change: Change): Promise<RoomDetails> {
    const { room, details } = await this.database.transaction(async (tx) => {
      const room = await this.authorizer.authorizeActor(tx, actor, permissionFor(change));
      const { chat } = change.settings ?? {};
      const details: Required<RoomDetails> = {
        title: change.title ?? room.title,
        roomDescription: change.roomDescription === undefined ? room.description : change.roomDescription,
        maxParticipants: change.settings?.maxParticipants ?? room.maxParticipants,
        emptyTimeout: change.settings?.emptyTimeout ?? room.emptyTimeout,
        chat: { mode: chat?.mode ?? room.chatMode, slowModeSeconds: chat?.slowModeSeconds ?? room.slowModeSeconds },
        consent: changedConsent(change.settings?.consent, { recording: room.recordingConsent, ai: room.mayUseAi }),
      };
      await this.rooms.changeDetails(tx, room.sid, details);
      await this.changes.record(tx, room.sid, 'details');
      const data = { ...toEventRoom(room), title: details.title, updatedAt: this.clock.now().toISOString() };
      await this.outbox.add(tx, fact(roomUpdated, room.sid, data));
      return { room, details };
    });
    if (details.maxParticipants > room.maxParticipants && room.media === 'open') {
      // If this fails half-way, the LiveKit room reconciler finds the room missing and recreates it.
      await this.livekit.replace({ ...room, ...details }).catch((error: unknown) => {
        logger.warn({ err: error, sid: room.sid }, 'new participant limit not yet applied in LiveKit; will retry');
      });
    }
    if (change.settings?.consent?.recording !== undefined) void this.reconcileRoom.soon(room.sid);
    return details;
  }
}
