import { Inject, Injectable } from '@nestjs/common';
import { AppError, classroomRpc, ROLE_PERMISSIONS, type ClassroomCaller, type RoomSession, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { Capacity } from '../admission/capacity.js';
import { toOwnConsent } from '../consent/to-own-consent.js';
import { signToken } from '../roles/join-token.js';
import { rightsOf } from '../roles/participant-rights.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { signClassroomToken } from './classroom-token.js';
import { ParticipantsRepository, type Participant } from '../participants/participants.repository.js';
import { SessionAddresses } from '../participants/session-addresses.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';

/**
 * A page exchanges its join token for a session, or renews one. A join token opens a new session, which replaces the session of
 * an older page. A classroom token continues its own session, as long as its participant is present or left at most
 * emptyTimeout ago.
 */
@Injectable()
export class OpenSession {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly attendance: AttendanceRepository,
    private readonly addresses: SessionAddresses,
    private readonly rooms: RoomsRepository,
    private readonly capacity: Capacity,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED, ROOM_FULL, CONSENT_REQUIRED */
  @Handles(classroomRpc.openSession)
  async execute({ caller, clientAddress }: RpcInput<typeof classroomRpc.openSession>): Promise<RoomSession> {
    const now = this.clock.wall();
    const opened = await this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requireParticipant(tx, caller);
      requireConsent(room, participant);
      await this.capacity.check(room, caller.uid, tx);
      const sessionNumber = await this.resolveSessionNumber(tx, caller, room, participant, now);
      await this.addresses.record(tx, room.sid, participant.uid, clientAddress ?? null, now);
      const livekitToken = await this.mediaToken(tx, room, participant, now);
      const present = await this.attendance.findOthers(tx, room.sid, participant.uid);
      return { room, participant, sessionNumber, present, livekitToken };
    });
    if (opened.room.media !== 'open') await this.livekit.ensureRoom(opened.room).catch(() => undefined);
    return this.toSession(opened, now);
  }

  /** Empty while an answer is required before the join. */
  private async mediaToken(tx: Transaction, room: Room, participant: Participant, now: Date): Promise<string> {
    if (toOwnConsent(room, participant)?.state === 'REQUIRED' && room.recordingConsent?.ask === 'join') return '';
    const { token, expiresAt } = await signToken(this.config, 'media', room, participant, now, rightsOf(room, participant));
    if (room.state === 'created') await this.rooms.expectJoin(tx, room.sid, expiresAt);
    return token;
  }

  private async resolveSessionNumber(
    tx: Transaction,
    caller: ClassroomCaller,
    room: Room,
    participant: Participant,
    now: Date,
  ): Promise<number> {
    if (caller.sessionNumber === null) {
      const next = participant.sessionNumber + 1;
      await this.participants.openSession(tx, room.sid, participant.uid, next, now);
      return next;
    }
    if (caller.sessionNumber !== participant.sessionNumber) throw new AppError('UNAUTHORIZED');
    const { isConnected, lastLeftAt } = await this.attendance.findConnectionState(tx, room.sid, participant.uid);
    // After an outage people have emptyTimeout to come back. If a participant has not connected yet, the time counts from when
    // the page opened its session.
    const leaves = [lastLeftAt, room.emptySince].map((livekitTime) =>
      livekitTime ? this.livekitClock.toLocalTime(livekitTime).getTime() : 0,
    );
    const since = Math.max(...leaves, participant.sessionOpenedAt?.getTime() ?? 0);
    const isRecent = now.getTime() - since <= room.emptyTimeout * 1000;
    if (!isConnected && !isRecent) throw new AppError('UNAUTHORIZED');
    return caller.sessionNumber;
  }

  private async toSession(
    opened: { room: Room; participant: Participant; sessionNumber: number; present: RoomSession['present']; livekitToken: string },
    now: Date,
  ): Promise<RoomSession> {
    const { room, participant, sessionNumber, present, livekitToken } = opened;
    const claims = { sid: room.sid, uid: participant.uid, sessionNumber };
    const { token: classroomToken, expiresAt } = await signClassroomToken(this.config, claims, now);
    const consent = toOwnConsent(room, participant);
    const { showLobby = true, showVideoControls = true, theme = 'auto' } = room.customization;
    return {
      livekitUrl: this.config.LIVEKIT_PUBLIC_URL,
      livekitToken,
      classroomToken,
      expiresAt: expiresAt.toISOString(),
      room: {
        roomId: room.roomId,
        sid: room.sid,
        title: room.title,
        roomDescription: room.description,
        startedAt: room.startedAt?.toISOString() ?? null,
        maxParticipants: room.maxParticipants,
        emptyTimeout: room.emptyTimeout,
        customization: { showLobby, showVideoControls, theme: theme === 'light' || theme === 'dark' ? theme : 'auto' },
      },
      present,
      participant: { uid: participant.uid, name: participant.name, role: participant.role, photoURL: participant.photoURL },
      permissions: {
        ...ROLE_PERMISSIONS[participant.role],
        ...(consent?.isMuted && { publish: false, shareScreen: false }),
        chat: participant.mayChat,
        ai: room.mayUseAi && participant.mayUseAi,
      },
      consent,
    };
  }
}

/** @throws AppError CONSENT_REQUIRED with the question, so that a client can show it again */
function requireConsent(room: Room, participant: Participant): void {
  if (!room.recordingConsent || !rightsOf(room, participant).isRefused) return;
  const { version, text } = room.recordingConsent;
  throw new AppError('CONSENT_REQUIRED', {
    details: [
      { path: 'version', message: version },
      { path: 'text', message: text },
    ],
  });
}
