import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  classroomRpc,
  largestOf,
  type ClassroomCaller,
  type ErrorDetail,
  type OwnAdmission,
  type Permissions,
  type RoomSession,
  type RpcInput,
} from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { signToken } from '../livekit/join-token.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { toOwnConsent } from '../participants/consents.js';
import { consentEffects, isOutside, permissionsOf, rightsOf } from '../participants/participant-rights.js';
import { ParticipantsRepository, type Participant } from '../participants/participants.repository.js';
import { SessionAddresses } from '../participants/session-addresses.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { toShownCustomization } from '../rooms/find-room.js';
import { opensAtFor, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { settingsOf } from '../schema/settings.js';
import { signClassroomToken } from './authenticate.js';
import { Capacity, DuplicateJoins } from './join-room.js';
import { EnterWaitingRoom } from './waiting-room.js';

/** What the page of a participant offers. */
export function toPermissions(room: Room, participant: Participant): Permissions {
  const permissions = permissionsOf(room, participant);
  const { isMuted } = consentEffects(room, participant);
  const publishAudio = permissions.publishAudio && !isMuted;
  const publishVideo = permissions.publishVideo && !isMuted;
  return {
    ...permissions,
    publish: publishAudio && publishVideo,
    publishAudio,
    publishVideo,
    shareScreen: permissions.shareScreen && !isMuted,
    ai: settingsOf(room).consent.ai && participant.mayUseAi,
  };
}

/** A page that was just opened or admitted needs some seconds to connect, also in a class that ends sooner when it is empty. */
const ENTRY_SECONDS = 30;

interface Opened {
  room: Room;
  participant: Participant;
  sessionNumber: number;
  present: RoomSession['present'];
  /** Empty while an answer is required before the join, or the participant waits. */
  livekitToken: string;
  admission: OwnAdmission | undefined;
}

const NO_ONE: RoomSession['present'] = { count: 0, names: [] };

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
    private readonly duplicateJoins: DuplicateJoins,
    private readonly enterWaitingRoom: EnterWaitingRoom,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED, ROOM_NOT_OPEN, ROOM_FULL, ALREADY_CONNECTED, CONSENT_REQUIRED, ADMISSION_REFUSED */
  @Handles(classroomRpc.openSession)
  async execute({ caller, clientAddress }: RpcInput<typeof classroomRpc.openSession>): Promise<RoomSession> {
    const now = this.clock.wall();
    const open = (isAlone: boolean) => this.open(caller, clientAddress ?? null, now, isAlone);
    const opened = await open(false).catch(async (error: unknown) => {
      await this.duplicateJoins.confirm(error, caller.sid, caller.uid);
      return open(true);
    });
    if (opened.room.media !== 'open' && opened.livekitToken) await this.livekit.ensureRoom(opened.room).catch(() => undefined);
    return this.toSession(opened, now);
  }

  /** @param isAlone whether LiveKit says that the participant is not connected, whatever our rows say */
  private open(caller: ClassroomCaller, clientAddress: string | null, now: Date, isAlone: boolean): Promise<Opened> {
    return this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requireParticipant(tx, caller);
      if (caller.sessionNumber === null) {
        this.requireOpen(room, participant, caller);
        if (!isAlone) await this.duplicateJoins.checkRows(room, caller.uid, tx);
      }
      requireConsent(room, participant);
      const mustWait = isOutside(room, participant);
      if (mustWait && participant.admission === 'REFUSED') throw new AppError('ADMISSION_REFUSED');
      if (!mustWait) await this.capacity.check(room, caller.uid, tx);
      const sessionNumber = await this.resolveSessionNumber(tx, caller, room, participant, now);
      await this.addresses.record(tx, room.sid, participant.uid, clientAddress, now);
      const opened = { room, participant, sessionNumber };
      const isAsked = asksBefore(room, participant);
      if (mustWait || isAsked) {
        // Who is asked for consent first comes to the waiting room with the answer.
        const admission = mustWait && !isAsked ? await this.enterWaitingRoom.execute(tx, room, participant, now) : undefined;
        const present = mustWait ? NO_ONE : await this.attendance.findOthers(tx, room.sid, participant.uid);
        return { ...opened, present, livekitToken: '', admission };
      }
      const livekitToken = await this.mediaToken(tx, room, participant, now);
      const present = await this.attendance.findOthers(tx, room.sid, participant.uid);
      return { ...opened, present, livekitToken, admission: undefined };
    });
  }

  /** @throws AppError ROOM_NOT_OPEN with the time, so that a client can wait for it */
  private requireOpen(room: Room, participant: Participant, { notBefore }: ClassroomCaller): void {
    const opening = opensAtFor(room, participant.role);
    const isOpen = opening === null || opening <= this.clock.now();
    if (isOpen && notBefore === undefined) return;
    const opensAt = new Date(Math.max(isOpen ? 0 : opening.getTime(), notBefore ?? 0)).toISOString();
    throw new AppError('ROOM_NOT_OPEN', {
      details: [
        { path: 'startsAt', message: settingsOf(room).startsAt ?? opensAt },
        { path: 'opensAt', message: opensAt },
        { path: 'title', message: room.title },
        ...toPreparation(room, participant),
      ],
    });
  }

  private async mediaToken(tx: Transaction, room: Room, participant: Participant, now: Date): Promise<string> {
    const { token, expiresAt } = signToken(this.config, 'media', room, participant, now, rightsOf(room, participant));
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
    if (participant.admission === 'WAITING') return caller.sessionNumber;
    const { isConnected, lastLeftAt } = await this.attendance.findConnectionState(tx, room.sid, participant.uid);
    // After an outage people have emptyTimeout to come back. If a participant has not connected yet, the time counts from when
    // the page opened its session.
    const leaves = [lastLeftAt, room.emptySince].map((livekitTime) =>
      livekitTime ? this.livekitClock.toLocalTime(livekitTime).getTime() : 0,
    );
    const openedAt = participant.sessionOpenedAt?.getTime() ?? 0;
    const since = largestOf([...leaves, openedAt]);
    const { emptyTimeout } = settingsOf(room);
    const seconds = since === openedAt ? Math.max(emptyTimeout, ENTRY_SECONDS) : emptyTimeout;
    const isRecent = now.getTime() - since <= seconds * 1000;
    if (!isConnected && !isRecent) throw new AppError('UNAUTHORIZED');
    return caller.sessionNumber;
  }

  private async toSession(opened: Opened, now: Date): Promise<RoomSession> {
    const { room, participant, sessionNumber, present, livekitToken, admission } = opened;
    const claims = { sid: room.sid, uid: participant.uid, sessionNumber };
    const { token: classroomToken, expiresAt } = signClassroomToken(this.config, claims, now);
    const { maxParticipants, emptyTimeout, permissions, muteOnJoin } = settingsOf(room);
    const own = toPermissions(room, participant);
    const consent = toOwnConsent(room, participant);
    const customization = toShownCustomization(room);
    const ui = participant.ui ?? {};
    return {
      livekitUrl: this.config.LIVEKIT_PUBLIC_URL,
      livekitToken,
      classroomToken,
      expiresAt: expiresAt.toISOString(),
      room: {
        roomId: room.roomId,
        sid: room.sid,
        title: room.title,
        roomDescription: admission ? null : room.description,
        startedAt: admission ? null : (room.startedAt?.toISOString() ?? null),
        maxParticipants,
        emptyTimeout,
        customization: { ...customization, showLobby: customization.showLobby && !ui.hideLobby },
        ...(Object.keys(permissions).length > 0 && { permissions }),
      },
      present,
      participant: { uid: participant.uid, name: participant.name, role: participant.role, photoURL: participant.photoURL },
      permissions: own,
      startsMuted: muteOnJoin && !own.manageParticipants,
      ui,
      ...(admission && { admission }),
      consent,
    };
  }
}

/** What a page shows until the room opens, and what it lets the participant try out. The description is for those who need no admission. */
function toPreparation(room: Room, participant: Participant): ErrorDetail[] {
  const { publishVideo, publishAudio } = toPermissions(room, participant);
  const devices = [publishVideo && 'camera', publishAudio && 'microphone'].filter((device) => device !== false);
  return [
    ...(room.description && !isOutside(room, participant) ? [{ path: 'roomDescription', message: room.description }] : []),
    { path: 'theme', message: toShownCustomization(room).theme },
    { path: 'name', message: participant.name },
    { path: 'devices', message: devices.join(' ') },
  ];
}

/** Whether an answer to the question for consent is required before the join. */
const asksBefore = (room: Room, participant: Participant): boolean =>
  settingsOf(room).consent.recording?.ask === 'join' && toOwnConsent(room, participant)?.state === 'REQUIRED';

/** @throws AppError CONSENT_REQUIRED with the question, so that a client can show it again */
function requireConsent(room: Room, participant: Participant): void {
  const { recording } = settingsOf(room).consent;
  if (!recording || !consentEffects(room, participant).isRefused) return;
  const { version, text } = recording;
  throw new AppError('CONSENT_REQUIRED', {
    details: [
      { path: 'version', message: version },
      { path: 'text', message: text },
    ],
  });
}
