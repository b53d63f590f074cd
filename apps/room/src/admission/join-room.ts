import { Inject, Injectable } from '@nestjs/common';
import { AppError, joinRoom, type Participant, type RpcInput } from '@classroom/contracts';
import { annotate, Clock, CONFIG } from '@classroom/platform';
import { Handles } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import type { RoomConfig } from '../config.js';
import { ChangeRole } from '../interaction/moderate-participants.js';
import { signToken, type TokenRoom, type TokenValidity } from '../livekit/join-token.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { consentEffects, isRoleWaiting, NO_ANSWER, permissionsOf, RightsReconciler } from '../participants/participant-rights.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { RoomReadsRepository, type JoiningRoom } from '../rooms/room-reads.repository.js';
import { opensAtFor, plannedEnd, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

const FURTHEST_MS = 366 * 86_400_000;

/**
 * When a join token can be used: as the request says; otherwise for JOIN_TOKEN_TTL_SECONDS, in a room with a schedule from its planned end.
 * @throws AppError VALIDATION_FAILED
 */
export function validityOf(
  { JOIN_TOKEN_TTL_SECONDS }: Pick<RoomConfig, 'JOIN_TOKEN_TTL_SECONDS'>,
  room: WithSettings,
  { notBefore, expiresIn }: Pick<Participant, 'notBefore' | 'expiresIn'>,
  now: Date,
): TokenValidity {
  const from = Math.max(now.getTime(), notBefore ? Date.parse(notBefore) : 0);
  if (from - now.getTime() > FURTHEST_MS)
    throw new AppError('VALIDATION_FAILED', { details: [{ path: 'participant.notBefore', message: 'must be at most 366 days from now' }] });
  const until = expiresIn ? from : Math.max(from, plannedEnd(room)?.getTime() ?? 0);
  return { notBefore: new Date(from), expiresAt: new Date(until + (expiresIn ?? JOIN_TOKEN_TTL_SECONDS) * 1000) };
}

type JoinedRoom = TokenRoom & WithSettings;

export interface IssuedToken {
  token: string;
  iframeUrl: string;
  expiresAt: string;
}

export interface Issued {
  joined: IssuedToken;
  /** The participant had another role before, which an older token may still carry. */
  isRoleChanged: boolean;
  /** The participant had other permissions or UI flags of their own before. */
  arePermissionsChanged: boolean;
}

/**
 * Stores the participant (latest name and role), makes a token and the address that contains it. The token is in the fragment,
 * so that it reaches no log and no referrer.
 */
@Injectable()
export class IssueJoinToken {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly rooms: RoomsRepository,
    private readonly clock: Clock,
  ) {}

  /** Undefined if the room has ended in the meantime. */
  async execute(room: JoiningRoom, participant: Participant, sessionsOnly?: boolean): Promise<Issued | undefined> {
    const joined = this.sign(room, participant, sessionsOnly);
    const expiresAt = this.mediaUntil(room, participant, joined);
    const admitted = await this.rooms.admit(room, participant, { expiresAt, at: this.clock.wall() });
    return admitted && { joined, ...admitted };
  }

  /** @throws AppError VALIDATION_FAILED if `notBefore` is too late */
  sign(room: JoinedRoom, participant: Participant, sessionsOnly = false): IssuedToken {
    const own = { role: participant.role, permissions: participant.permissions ?? null };
    const { isUnrecorded } = consentEffects({ ...room, isRecording: false }, { ...own, ...NO_ANSWER });
    const now = this.clock.wall();
    const validity = validityOf(this.config, room, participant, now);
    // Where the class or a hook asks or has people wait before the join, a second device is refused, or the class is not open yet, only a session
    // gives a token for LiveKit: the schedule may be moved, and LiveKit accepts a token up to a minute before its `nbf`.
    const isLater = validity.notBefore > now || !this.isOpen(room, participant);
    const { consent, duplicateJoin } = settingsOf(room);
    const isAsked = isUnrecorded && consent.recording?.ask === 'join';
    const isFree = !sessionsOnly && duplicateJoin === 'replace' && !isRoleWaiting(room, participant.role);
    const mayConnect = isFree && !isLater && !isAsked;
    const rights = { permissions: permissionsOf(room, own), isUnrecorded, mayConnect };
    const { token, expiresAt } = signToken(this.config, 'join', room, participant, now, rights, validity);
    const iframeUrl = `${this.config.CLASSROOM_URL}/r/${room.sid}#token=${token}`;
    return { token, iframeUrl, expiresAt: expiresAt.toISOString() };
  }

  /** Until when LiveKit should have the room for a participant with this token; for a room that opens later, as for any new room. */
  mediaUntil(room: JoinedRoom, participant: Participant, { expiresAt }: IssuedToken): Date {
    const usual = this.clock.wall().getTime() + this.config.JOIN_TOKEN_TTL_SECONDS * 1000;
    return new Date(this.isOpen(room, participant) ? expiresAt : Math.min(Date.parse(expiresAt), usual));
  }

  private isOpen(room: JoinedRoom, { role }: Participant): boolean {
    const opening = opensAtFor(room, role);
    return opening === null || opening <= this.clock.now();
  }
}

@Injectable()
export class Capacity {
  constructor(private readonly attendance: AttendanceRepository) {}

  /**
   * A uid that is already connected takes no further place. LiveKit checks the limit again when a participant connects. Through closed doors
   * comes who was in class before.
   * @param tx the caller's transaction, if it has one, so that the check does not wait for a second database connection
   * @throws AppError ROOM_FULL
   */
  async check(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (room.doorsClosed && !(await this.attendance.hasJoined(room.sid, uid, tx)))
      throw new AppError('ROOM_FULL', { message: 'The budget of the class has closed its doors' });
    if (room.participantCount < settingsOf(room).maxParticipants) return;
    if (!(await this.attendance.isConnected(room.sid, uid, tx))) throw new AppError('ROOM_FULL');
  }
}

/** Refuses a second device of a participant, where the class does. */
@Injectable()
export class DuplicateJoins {
  constructor(
    private readonly attendance: AttendanceRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** Our rows may be later than LiveKit, which is asked before a refusal. @throws AppError ALREADY_CONNECTED, SERVICE_UNAVAILABLE */
  async check(room: Room, uid: string): Promise<void> {
    await this.checkRows(room, uid).catch((error: unknown) => this.confirm(error, room.sid, uid));
  }

  /** The same by our rows alone, for a transaction. @throws AppError ALREADY_CONNECTED */
  async checkRows(room: Room, uid: string, tx?: Transaction): Promise<void> {
    if (settingsOf(room).duplicateJoin === 'refuse' && (await this.attendance.isConnected(room.sid, uid, tx)))
      throw new AppError('ALREADY_CONNECTED');
  }

  /** @throws `error` unless it is a refusal by our rows of a participant whom LiveKit does not have; AppError SERVICE_UNAVAILABLE */
  async confirm(error: unknown, sid: string, uid: string): Promise<void> {
    const isRefusal = error instanceof AppError && error.code === 'ALREADY_CONNECTED';
    if (!isRefusal || (await this.livekit.participant(sid, uid))) throw error;
  }
}

@Injectable()
export class JoinRoom {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly capacity: Capacity,
    private readonly duplicateJoins: DuplicateJoins,
    private readonly issueJoinToken: IssueJoinToken,
    private readonly changeRole: ChangeRole,
    private readonly rights: RightsReconciler,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND, ROOM_ENDED, ROOM_FULL, ALREADY_CONNECTED, SERVICE_UNAVAILABLE */
  @Handles(joinRoom)
  async execute({ organizationId, roomId, participant, sessionsOnly }: RpcInput<typeof joinRoom>): Promise<IssuedToken> {
    const room = await this.rooms.findForJoin(organizationId, roomId, participant.uid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    annotate({ 'room.sid': room.sid });
    if (room.state === 'finished') throw new AppError('ROOM_ENDED');
    await this.capacity.check(room, participant.uid);
    await this.duplicateJoins.check(room, participant.uid);
    const issued = await this.issueJoinToken.execute(room, participant, sessionsOnly);
    if (!issued) throw new AppError('ROOM_ENDED');
    // A participant who is connected with an older token gets the role and the permissions of the new one.
    const { uid, role } = participant;
    if (issued.isRoleChanged) await this.changeRole.execute({ organizationId, roomId, uid, role });
    else if (issued.arePermissionsChanged) await this.rights.applyOwn(room, uid);
    // Recreates a released room immediately. If LiveKit is unreachable, the LiveKit room reconciler recreates it later.
    if (room.media !== 'open') await this.livekit.ensureRoom(room).catch(() => undefined);
    return issued.joined;
  }
}
