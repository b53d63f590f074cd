import { Injectable } from '@nestjs/common';
import { role as roleSchema } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, inParallel, logger } from '@classroom/platform';
import { TrackSource } from 'livekit-server-sdk';
import { UNRECORDED } from '../roles/join-token.js';
import { ALL_SOURCES, sourcesOf } from '../roles/role-grants.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import { rightsOf, unlimited, type ParticipantRights } from '../roles/participant-rights.js';
import type { Room } from '../rooms/room.js';

export type RightsByUid = ReadonlyMap<string, ParticipantRights>;

/** The rights that a participant should have and that differ from those in LiveKit. */
export type RightsCorrection = ParticipantRights & { uid: string; changedAt?: Date };

/** Calls to LiveKit at once, for a class whose rights change together. */
const CALLS_IN_PARALLEL = 8;

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class RightsReconciler {
  constructor(
    private readonly database: Database,
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * By room, the rights of the participants whose token may not state them, by uid: those with permission to speak, with a changed role or with
   * permissions of their own; in a class that asks for consent, has a waiting room or other permissions than the roles, those of all `connected` ones.
   */
  async findRightsOverridingToken(
    tx: Transaction,
    rooms: readonly Room[],
    connected: readonly { sid: string; uid: string }[],
  ): Promise<ReadonlyMap<string, RightsByUid>> {
    const found = new Map(rooms.map((room) => [room.sid, { room, rights: new Map<string, ParticipantRights>() }]));
    if (rooms.length === 0) return new Map();
    const asked = connected.filter(({ sid }) => {
      const room = found.get(sid)?.room;
      return room && (room.recordingConsent !== null || room.waitingRoom !== 'OFF' || room.rolePermissions !== null);
    });
    const changed = await this.participants.listChangedRights(tx, [...found.keys()]);
    const rows = asked.length > 0 ? [...changed, ...(await this.participants.listRights(tx, asked))] : changed;
    for (const row of rows) {
      const of = found.get(row.sid);
      of?.rights.set(row.uid, rightsOf(of.room, row));
    }
    return new Map([...found].map(([sid, { rights }]) => [sid, rights]));
  }

  /** The participants of a list who have other rights in LiveKit, because of an old token or a failed call, each with the right ones. */
  findMismatches(sid: string, rightsOverridingToken: RightsByUid, participants: readonly LiveKitParticipant[]): RightsCorrection[] {
    return participants.flatMap(({ identity = '', attributes, permission }) => {
      const role = roleSchema.safeParse(attributes?.['role']).data;
      const rights = rightsOverridingToken.get(identity) ?? (role && unlimited(role));
      if (!rights) return [];
      const isRight =
        role === rights.role &&
        publishes(permission) === sourcesOf(rights).join() &&
        Boolean(attributes?.[UNRECORDED]) === rights.isUnrecorded &&
        !rights.isRefused;
      return isRight ? [] : [{ uid: identity, ...rights }];
    });
  }

  /** Applies the rights in a participant's row, if they are connected, and has their page request its session again. */
  async applyOwn(room: Room, uid: string): Promise<void> {
    const [row] = await this.database.transaction((tx) => this.participants.listRights(tx, [{ sid: room.sid, uid }]));
    if (row) await this.applyCorrections(room.sid, [{ uid, ...rightsOf(room, row), changedAt: this.clock.wall() }]);
  }

  /** Evicts who has no place without consent or admission. If LiveKit is unreachable, the reconciler corrects the rights later. */
  async applyCorrections(sid: string, corrections: readonly RightsCorrection[]): Promise<void> {
    await inParallel(corrections, CALLS_IN_PARALLEL, async ({ uid, changedAt, ...rights }) => {
      const call = rights.isRefused ? this.livekit.remove(sid, uid) : this.livekit.grant(sid, uid, rights, changedAt);
      await call.catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'permissions not yet applied in LiveKit; will retry');
      });
    });
  }
}

/** What LiveKit permits to publish, in one comparable text. An empty list of sources permits all of them. Webhooks name sources, lists number them. */
function publishes(permission: LiveKitParticipant['permission']): string {
  const { canPublish = false, canPublishSources: sources = [] } = permission ?? {};
  if (!canPublish) return '';
  if (sources.length === 0) return ALL_SOURCES.join();
  return sources
    .map((source) => (typeof source === 'string' ? TrackSource[source] : source))
    .sort()
    .join();
}
