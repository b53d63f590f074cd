import { Injectable } from '@nestjs/common';
import {
  AppError,
  changeRole,
  muteEveryone,
  muteParticipant,
  outranks,
  participantRemoved,
  removeParticipant,
  spotlightParticipant,
  type MuteSource,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock, inParallel, logger } from '@classroom/platform';
import { TrackSource, type ParticipantInfo } from 'livekit-server-sdk';
import { SPOTLIT } from '../livekit/join-token.js';
import { isPerson } from '../livekit/livekit-person.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { actorOf, ClassAuthorizer, isParticipant } from '../participants/class-authorizer.js';
import { rightsOf, RightsReconciler } from '../participants/participant-rights.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { AttendanceRepository } from '../presence/attendance.repository.js';
import { CommitPresence } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { toEventRoom } from '../rooms/room.js';
import { ClassChanges } from './class-states.js';

@Injectable()
export class RemoveParticipant {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly attendance: AttendanceRepository,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * After the commit every token made for the participant so far is invalid; the backend may admit the participant again with a
   * new one. If LiveKit is unreachable, the reconciler evicts the participant later.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED
   */
  @Handles(removeParticipant)
  async removeParticipant(input: RpcInput<typeof removeParticipant>): Promise<RpcOutput<typeof removeParticipant>> {
    const { uid } = input;
    const actor = actorOf(input);
    const removedAt = this.clock.wall();
    const { sid, wasConnected } = await this.database.transaction(async (tx) => {
      const { room } = await this.authorizer.authorizeModeration(tx, actor, uid);
      const { isConnected } = await this.attendance.findConnectionState(tx, room.sid, uid);
      const version = await this.changes.record(tx, room.sid, 'removals', 'hands', 'speakers');
      await this.participants.markRemoved(tx, room.sid, uid, removedAt, version);
      const removedBy = isParticipant(actor) ? actor.uid : '';
      const data = { ...toEventRoom(room), uid, removedBy, removedAt: removedAt.toISOString() };
      await this.outbox.add(tx, fact(participantRemoved, room.sid, data));
      return { sid: room.sid, wasConnected: isConnected };
    });
    await this.livekit.remove(sid, uid).catch((error: unknown) => {
      logger.warn({ err: error, sid }, 'removed participant not yet evicted from LiveKit; will retry');
    });
    return { uid, wasConnected };
  }
}

@Injectable()
export class ChangeRole {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly changes: ClassChanges,
    private readonly rights: RightsReconciler,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes effect immediately for our API, and for LiveKit as soon as LiveKit answers, whatever role the participant's tokens
   * name. A participant gives no role that is higher than their own.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED
   */
  @Handles(changeRole)
  async execute(input: RpcInput<typeof changeRole>): Promise<RpcOutput<typeof changeRole>> {
    const { uid, role } = input;
    const { room, target } = await this.database.transaction(async (tx) => {
      const { room, target, by } = await this.authorizer.authorizeModeration(tx, actorOf(input), uid);
      if (by && outranks(role, by.role)) throw new AppError('FORBIDDEN', { message: 'The role is higher than yours' });
      await this.participants.changeRole(tx, room.sid, uid, role, this.clock.wall());
      const present = await this.connections.findRelated(tx, room.sid, '', uid);
      const changed = present.filter((interval) => interval.leftAt === null && interval.role !== role);
      await this.commitPresence.execute(
        tx,
        room,
        changed.map((interval) => ({ ...interval, role })),
      );
      await this.changes.record(tx, room.sid, 'speakers', 'hands');
      return { room, target };
    });
    await this.rights.applyCorrections(room.sid, [{ uid, ...rightsOf(room, { ...target, role, maySpeak: false }) }]);
    return { uid, role };
  }
}

const TRACK_SOURCES: Record<MuteSource, TrackSource[]> = {
  microphone: [TrackSource.MICROPHONE],
  camera: [TrackSource.CAMERA],
  screen: [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO],
};
const CONCURRENCY = 8;
/** Roles that are not muted when the whole class is. */
const EXEMPT_ROLES = new Set(['TEACHER', 'ADMIN']);

/** Mutes what other participants publish. Only they can unmute it. */
@Injectable()
export class Mute {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED, SERVICE_UNAVAILABLE */
  @Handles(muteParticipant)
  async muteParticipant(input: RpcInput<typeof muteParticipant>): Promise<RpcOutput<typeof muteParticipant>> {
    const { uid, source } = input;
    const { sid } = await this.database.transaction(async (tx) => {
      const { room } = await this.authorizer.authorizeModeration(tx, actorOf(input), uid);
      return room;
    });
    const participant = await this.livekit.participant(sid, uid);
    const wasPublishing = participant !== undefined && (await this.muteTracks(sid, participant, source));
    return { uid, source, wasPublishing };
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, SERVICE_UNAVAILABLE */
  @Handles(muteEveryone)
  async muteEveryone({ caller }: RpcInput<typeof muteEveryone>): Promise<RpcOutput<typeof muteEveryone>> {
    await this.database.transaction((tx) => this.authorizer.requirePermission(tx, caller, 'manageParticipants'));
    const participants = (await this.livekit.participants(caller.sid)) ?? [];
    const targets = participants.filter(
      (one) => isPerson(one) && one.identity !== caller.uid && !EXEMPT_ROLES.has(one.attributes['role'] ?? ''),
    );
    const muted: string[] = [];
    await inParallel(targets, CONCURRENCY, async (participant) => {
      if (await this.muteTracks(caller.sid, participant, 'microphone')) muted.push(participant.identity);
    });
    return { muted: muted.sort() };
  }

  private async muteTracks(sid: string, { identity, tracks }: ParticipantInfo, source: MuteSource): Promise<boolean> {
    const open = tracks.filter((track) => TRACK_SOURCES[source].includes(track.source) && !track.muted);
    for (const track of open) await this.livekit.mute(sid, identity, track.sid);
    return open.length > 0;
  }
}

/**
 * Shows one participant large to everyone. LiveKit has it, as an attribute of the connection, so that the pages, the recording and who comes
 * later follow it without a request, and a participant who leaves is shown no more. The latest one counts.
 */
@Injectable()
export class Spotlight {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED, SERVICE_UNAVAILABLE */
  @Handles(spotlightParticipant)
  async spotlightParticipant({
    caller,
    uid,
    shown,
  }: RpcInput<typeof spotlightParticipant>): Promise<RpcOutput<typeof spotlightParticipant>> {
    const { sid } = caller;
    await this.database.transaction((tx) => this.authorizer.authorizeToTarget(tx, caller, uid));
    const people = ((await this.livekit.participants(sid)) ?? []).filter(isPerson);
    if (!people.some(({ identity }) => identity === uid)) return { uid, shown: false };
    // LiveKit deletes an attribute that is empty.
    const set = (one: string, value: string) => this.livekit.setAttributes(sid, one, { [SPOTLIT]: value });
    await set(uid, shown ? String(this.clock.wall().getTime()) : '');
    const others = shown ? people.filter(({ identity, attributes }) => identity !== uid && attributes[SPOTLIT]) : [];
    await inParallel(others, CONCURRENCY, ({ identity }) => set(identity, ''));
    return { uid, shown };
  }
}
