import { Injectable } from '@nestjs/common';
import { muteEveryone, muteParticipant, type MuteSource, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { inParallel } from '@classroom/platform';
import { TrackSource, type ParticipantInfo } from 'livekit-server-sdk';
import { actorOf, ClassAuthorizer } from '../participants/class-authorizer.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { isPerson } from '../livekit/livekit-person.js';

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
