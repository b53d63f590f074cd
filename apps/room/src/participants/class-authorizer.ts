import { Injectable } from '@nestjs/common';
import { AppError, outranks, type ClassroomCaller, type Grants, type Permission } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { consentEffects, isOutside, permissionsOf } from './participant-rights.js';
import type { Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ParticipantsRepository, type Participant, type ReadAccess } from './participants.repository.js';

/** The organization's backend, acting on one of its rooms: it may do what any role may. */
export interface Backend {
  organizationId: string;
  roomId: string;
}
export type Actor = ClassroomCaller | Backend;

/** Who calls an operation that a backend and the participants of a class call. */
export const actorOf = (input: Backend | { caller: ClassroomCaller }): Actor =>
  'caller' in input ? input.caller : { organizationId: input.organizationId, roomId: input.roomId };
export const isParticipant = (actor: Actor): actor is ClassroomCaller => 'uid' in actor;

/**
 * Decides from locked rows who may act in a class: the room has not ended, the session is the current one, the permissions allow it, and the
 * participant waits for no admission and has not refused a consent without which the class has no place.
 */
@Injectable()
export class ClassAuthorizer {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly participants: ParticipantsRepository,
  ) {}

  /** @throws AppError ROOM_ENDED, UNAUTHORIZED (removed, replaced) or FORBIDDEN */
  async requirePermission(
    tx: Transaction,
    caller: ClassroomCaller,
    permission: Permission,
  ): Promise<{ room: Room; participant: Participant }> {
    const found = await this.requireCurrentSession(tx, caller);
    if (!permissionsOf(found.room, found.participant)[permission]) throw new AppError('FORBIDDEN');
    return found;
  }

  /** The same for a participant or a backend. Returns the locked room. @throws AppError also ROOM_NOT_FOUND */
  async authorizeActor(tx: Transaction, actor: Actor, permission: Permission): Promise<Room> {
    if (isParticipant(actor)) return (await this.requirePermission(tx, actor, permission)).room;
    const room = await this.rooms.lock(tx, actor.organizationId, actor.roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    if (room.state === 'finished') throw ended(room.endReason);
    return room;
  }

  /**
   * The same for what is done to one participant, whose row is locked and returned. A participant cannot do it to one of a higher role.
   * @throws AppError also PARTICIPANT_NOT_FOUND
   */
  async authorizeModeration(
    tx: Transaction,
    actor: Actor,
    uid: string,
  ): Promise<{ room: Room; target: Participant; by: Participant | null }> {
    const found = await this.authorizeToTarget(tx, actor, uid);
    if (found.by && outranks(found.target.role, found.by.role))
      throw new AppError('FORBIDDEN', { message: 'The participant has a higher role than you' });
    return found;
  }

  /** The same for what does no harm to a participant of a higher role. */
  async authorizeToTarget(
    tx: Transaction,
    actor: Actor,
    uid: string,
  ): Promise<{ room: Room; target: Participant; by: Participant | null }> {
    const { room, participant: by } = isParticipant(actor)
      ? await this.requirePermission(tx, actor, 'manageParticipants')
      : { room: await this.authorizeActor(tx, actor, 'manageParticipants'), participant: null };
    const target = await this.participants.lock(tx, room.sid, uid);
    if (!target) throw new AppError('PARTICIPANT_NOT_FOUND');
    return { room, target, by };
  }

  /** The same for what everyone may do, with the participant's row. @throws AppError ROOM_ENDED, UNAUTHORIZED */
  async requireCurrentSession(tx: Transaction, caller: ClassroomCaller): Promise<{ room: Room; participant: Participant }> {
    const found = await this.requireParticipant(tx, caller);
    if (caller.sessionNumber !== found.participant.sessionNumber) throw new AppError('UNAUTHORIZED');
    if (isOutside(found.room, found.participant)) throw new AppError('UNAUTHORIZED');
    if (consentEffects(found.room, found.participant).isRefused) throw new AppError('UNAUTHORIZED');
    return found;
  }

  /** The same for reading: locks nothing. @throws AppError ROOM_ENDED, UNAUTHORIZED */
  async requireReadAccess(caller: ClassroomCaller): Promise<{ uid: string; permissions: Grants }> {
    const row = await this.findOwnAdmission(caller);
    if (isOutside(row, row) || consentEffects(row, row).isRefused) throw new AppError('UNAUTHORIZED');
    return { uid: caller.uid, permissions: permissionsOf(row, row) };
  }

  /** The caller's row, who may be in the waiting room. Locks nothing. @throws AppError ROOM_ENDED, UNAUTHORIZED */
  async findOwnAdmission(caller: ClassroomCaller): Promise<ReadAccess> {
    const row = await this.participants.findReadAccess(caller.sid, caller.uid);
    if (!row) throw new AppError('UNAUTHORIZED');
    if (row.state === 'finished') throw ended(row.endReason);
    if (row.sessionNumber !== caller.sessionNumber || isRemoved(row, caller.issuedAt)) throw new AppError('UNAUTHORIZED');
    return row;
  }

  /** The same without a check of role or session, for opening a session. */
  async requireParticipant(tx: Transaction, caller: ClassroomCaller): Promise<{ room: Room; participant: Participant }> {
    const room = await this.rooms.lockBySid(tx, caller.sid);
    if (!room || room.state === 'creating') throw new AppError('UNAUTHORIZED');
    if (room.state === 'finished') throw ended(room.endReason);
    const participant = await this.participants.lock(tx, caller.sid, caller.uid);
    if (!participant || isRemoved(participant, caller.issuedAt)) throw new AppError('UNAUTHORIZED');
    return { room, participant };
  }
}

/** The error states why the room ended, so that the page can show it. */
const ended = (reason: string | null) => new AppError('ROOM_ENDED', { details: [{ path: 'reason', message: reason ?? 'ended' }] });

const isRemoved = ({ removedAt }: Pick<Participant, 'removedAt'>, issuedAt: number) =>
  removedAt !== null && issuedAt <= removedAt.getTime();
