import { Injectable } from '@nestjs/common';
import {
  AppError,
  changedAttendance,
  changedBudget,
  changedConsent,
  changedPermissions,
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
import { ClassChanges } from './class-changes.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { withBudget } from '../rooms/with-budget.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { ReconcileRoom } from '../presence/reconcile-room.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { changedSchedule, problemOf, toShownSchedule } from '../rooms/schedule.js';
import type { ChangedDetails } from '../rooms/room-values.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { toRoomDetails } from '../rooms/to-room-details.js';
import { ClassAuthorizer, isParticipant, type Actor } from '../participants/class-authorizer.js';
import { attendanceFor } from '../roster/attendance-for.js';
import { RosterRepository } from '../roster/roster.repository.js';

type Change = RpcInput<typeof changeRoom>['change'];
type Details = ChangedDetails & Pick<ChangedRoom, 'metadata'>;

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
    const { metadata, autoRecord, budget, attendance, duplicateJoin } = room;
    return {
      ...toRoomDetails(this.deadlines.byOurClock(room)),
      metadata,
      autoRecord,
      budget,
      attendance,
      duplicateJoin,
      ...toShownSchedule(room),
    };
  }

  /**
   * Changes what was given for the room. A lower participant limit only affects later joins: no participant is evicted. For a
   * higher limit the room is recreated in LiveKit, which does not change the limit of an existing room: everyone is
   * disconnected and reconnects automatically within a second or two.
   * @throws AppError VALIDATION_FAILED, UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, ROOM_ENDED
   */
  private async change(actor: Actor, change: Change): Promise<Details> {
    const { room, details, metadata } = await this.database.transaction(async (tx) => {
      const room = await this.authorize(tx, actor, change);
      const details = changedDetails(room, change);
      const now = this.clock.now();
      const isMoved = details.schedule !== room.schedule;
      const problem = isMoved ? problemOf(details.schedule, now) : undefined;
      if (problem) throw problem;
      const due = { scheduleDueAt: isMoved ? now : null, dueAt: this.deadlines.dueAt({ ...room, ...details }) };
      const metadata = await this.rooms.changeDetails(tx, room.sid, details, due);
      if (change.roster !== undefined) await this.roster.replace(tx, room, change.roster ?? []);
      if (isMoved) tx.afterCommit('schedule', () => this.deadlines.schedule(room.sid, now));
      const isWaitingRoomChanged = details.waitingRoom !== room.waitingRoom;
      if (isWaitingRoomChanged) await this.admitPresent(tx, room.sid);
      await this.changes.record(tx, room.sid, 'details', ...(isWaitingRoomChanged ? (['waiting'] as const) : []));
      const { autoRecord } = change.settings ?? {};
      const { budget, budgetVersion } = details;
      const changed = budgetVersion > room.budgetVersion ? { budget, budgetVersion } : {};
      const data = { ...toEventRoom(room), title: details.title, updatedAt: now.toISOString(), autoRecord, ...changed };
      await this.outbox.add(tx, fact(roomUpdated, room.sid, data));
      return { room, details, metadata };
    });
    if (details.maxParticipants > room.maxParticipants && room.media === 'open') {
      // If this fails half-way, the LiveKit room reconciler finds the room missing and recreates it.
      await this.livekit.replace({ ...room, ...details }).catch((error: unknown) => {
        logger.warn({ err: error, sid: room.sid }, 'new participant limit not yet applied in LiveKit; will retry');
      });
    }
    const { consent, permissions } = change.settings ?? {};
    if (consent?.recording !== undefined || permissions !== undefined || details.waitingRoom !== room.waitingRoom)
      void this.reconcileRoom.soon(room.sid);
    return { ...details, metadata };
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
function changedDetails(room: Room, change: Change): ChangedDetails {
  const { settings = {} } = change;
  const { startsAt, endsAt, joinBefore, maxDuration } = settings;
  const when = { startsAt, endsAt, joinBefore, maxDuration };
  const isScheduled = Object.values(when).some((value) => value !== undefined);
  const { recording, ai } = changedConsent(settings.consent, { recording: room.recordingConsent, ai: room.mayUseAi });
  return {
    title: change.title ?? room.title,
    description: change.roomDescription === undefined ? room.description : change.roomDescription,
    metadata: change.metadata,
    customization: { ...room.customization, ...change.customization },
    maxParticipants: settings.maxParticipants ?? room.maxParticipants,
    emptyTimeout: settings.emptyTimeout ?? room.emptyTimeout,
    autoRecord: settings.autoRecord ?? room.autoRecord,
    chatMode: settings.chat?.mode ?? room.chatMode,
    slowModeSeconds: settings.chat?.slowModeSeconds ?? room.slowModeSeconds,
    rolePermissions: changedPermissions(room.rolePermissions, settings.permissions),
    recordingConsent: recording,
    mayUseAi: ai,
    waitingRoom: settings.waitingRoom ?? room.waitingRoom,
    duplicateJoin: settings.duplicateJoin ?? room.duplicateJoin,
    schedule: isScheduled ? changedSchedule(room.schedule, when) : room.schedule,
    startedAt: room.startedAt,
    ...withBudget(room, changedBudget(room.budget, settings.budget)),
    attendance: changedAttendance(attendanceFor(change.roster, settings.attendance), room.attendance),
  };
}
