import { Injectable } from '@nestjs/common';
import {
  AppError,
  changedSettings,
  changeRoom,
  changeRoomInClass,
  outranks,
  roomUpdated,
  type ChangedRoom,
  type Permission,
  type RoomDetails,
  type RpcInput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { ClassChanges } from '../interaction/class-states.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassAuthorizer, isParticipant, type Actor } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { ReconcileRoom } from '../presence/presence-reconciler.js';
import { RoomDeadlines } from '../presence/room-deadlines.js';
import { toRoomDetails } from '../rooms/find-room.js';
import { attendanceFor, isMoved, problemOf, toEventRoom, withBudget, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RosterRepository } from '../rooms/roster.repository.js';
import type { RoomEntity } from '../schema/room.entity.js';
import { settingsOf } from '../schema/settings.js';

type Change = RpcInput<typeof changeRoom>['change'];
type Changed = Pick<Room, 'title' | 'description' | 'customization' | 'settings' | 'startedAt'> & Pick<RoomEntity, 'metadata'>;

/** Who manages participants may change the chat and admission settings, and what students may do. In class, only what `changeRoomInClass` declares can be changed. */
function permissionFor({ title, roomDescription, settings = {} }: Change): Permission {
  const { chat, waitingRoom, permissions, maxParticipants, emptyTimeout } = settings;
  const others = [title, roomDescription, maxParticipants, emptyTimeout];
  return (chat || waitingRoom || permissions) && others.every((value) => value === undefined) ? 'manageParticipants' : 'changeRoom';
}

@Injectable()
export class ChangeRoom {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly rooms: RoomsRepository,
    private readonly roster: RosterRepository,
    private readonly participants: ParticipantsRepository,
    private readonly attendance: AttendanceRepository,
    private readonly changes: ClassChanges,
    private readonly deadlines: RoomDeadlines,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
    private readonly clock: Clock,
  ) {}

  @Handles(changeRoomInClass)
  async changeRoomInClass({ caller, change }: RpcInput<typeof changeRoomInClass>): Promise<RoomDetails> {
    return toRoomDetails(this.deadlines.byOurClock(await this.change(caller, change)));
  }

  @Handles(changeRoom)
  async changeRoom({ organizationId, roomId, change }: RpcInput<typeof changeRoom>): Promise<ChangedRoom> {
    const room = await this.change({ organizationId, roomId }, change);
    return { ...toRoomDetails(this.deadlines.byOurClock(room)), metadata: room.metadata, ...settingsOf(room) };
  }

  /**
   * Changes what was given for the room. A lower participant limit only affects later joins: no participant is evicted. For a
   * higher limit the room is recreated in LiveKit, which does not change the limit of an existing room: everyone is
   * disconnected and reconnects automatically within a second or two.
   * @throws AppError VALIDATION_FAILED, UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, ROOM_ENDED
   */
  private async change(actor: Actor, change: Change): Promise<Changed> {
    const { room, changed, metadata } = await this.database.transaction(async (tx) => {
      const room = await this.authorize(tx, actor, change);
      const changed = withChange(room, change);
      const settings = settingsOf(changed);
      const now = this.clock.now();
      const isRescheduled = isMoved(change.settings ?? {});
      const problem = isRescheduled ? problemOf(settings, now) : undefined;
      if (problem) throw problem;
      const due = { scheduleDueAt: isRescheduled ? now : null, dueAt: this.deadlines.dueAt(changed) };
      const metadata = await this.rooms.changeDetails(tx, room.sid, { ...changed, metadata: change.metadata }, due);
      if (change.roster !== undefined) await this.roster.replace(tx, room, change.roster ?? []);
      if (isRescheduled) tx.afterCommit('schedule', () => this.deadlines.schedule(room.sid, now));
      const isWaitingRoomChanged = settings.waitingRoom !== settingsOf(room).waitingRoom;
      if (isWaitingRoomChanged) await this.admitPresent(tx, room.sid);
      await this.changes.record(tx, room.sid, 'details', ...(isWaitingRoomChanged ? (['waiting'] as const) : []));
      const { autoRecord } = change.settings ?? {};
      const { title, budgetVersion } = changed;
      const budget = budgetVersion > room.budgetVersion ? { budget: settings.budget, budgetVersion } : {};
      const data = { ...toEventRoom(room), title, updatedAt: now.toISOString(), autoRecord, ...budget };
      await this.outbox.add(tx, fact(roomUpdated, room.sid, data));
      return { room, changed, metadata };
    });
    const [before, after] = [settingsOf(room), settingsOf(changed)];
    if (after.maxParticipants > before.maxParticipants && room.media === 'open') {
      // If this fails half-way, the LiveKit room reconciler finds the room missing and recreates it.
      await this.livekit.replace(changed).catch((error: unknown) => {
        logger.warn({ err: error, sid: room.sid }, 'new participant limit not yet applied in LiveKit; will retry');
      });
    }
    const { consent, permissions } = change.settings ?? {};
    if (consent?.recording !== undefined || permissions !== undefined || after.waitingRoom !== before.waitingRoom)
      void this.reconcileRoom.soon(room.sid);
    return { ...changed, metadata };
  }

  /** What students may do is decided by who is above them: no student gives permissions to themselves. */
  private async authorize(tx: Transaction, actor: Actor, change: Change): Promise<Room> {
    if (!isParticipant(actor)) return this.authorizer.authorizeActor(tx, actor, permissionFor(change));
    const { room, participant } = await this.authorizer.requirePermission(tx, actor, permissionFor(change));
    if (change.settings?.permissions && !outranks(participant.role, 'STUDENT')) throw new AppError('FORBIDDEN');
    return room;
  }

  /** Who is in the class when the waiting room opens stays there. */
  private async admitPresent(tx: Transaction, sid: string): Promise<void> {
    const present = await this.attendance.listConnected(tx, sid);
    await this.participants.admitPeople(tx, sid, present);
  }
}

/** The room with the change: what is not given stays as it is. */
function withChange(room: Room, { title, roomDescription, customization, settings, roster }: Change): Room {
  const changes = { ...settings, attendance: attendanceFor(roster, settings?.attendance) };
  const changed = changedSettings(settingsOf(room), changes);
  return {
    ...room,
    title: title ?? room.title,
    description: roomDescription === undefined ? room.description : roomDescription,
    customization: { ...room.customization, ...customization },
    settings: changed,
    ...withBudget(room, changed.budget),
  };
}
