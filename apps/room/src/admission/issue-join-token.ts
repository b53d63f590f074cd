import { Inject, Injectable } from '@nestjs/common';
import { AppError, type Participant } from '@classroom/contracts';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { signToken, type TokenRoom, type TokenValidity } from '../livekit/join-token.js';
import { consentEffects, isRoleWaiting, NO_ANSWER, permissionsOf } from '../participants/participant-rights.js';
import type { JoiningRoom } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { opensAtFor, plannedEnd } from '../rooms/schedule.js';
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
