import { Injectable } from '@nestjs/common';
import { role as roleSchema, type RoomSettings } from '@classroom/contracts';
import { Clock, inParallel, logger } from '@classroom/platform';
import { TrackSource } from 'livekit-server-sdk';
import { ALL_SOURCES, sourcesOf, unlimited, UNRECORDED, type ParticipantRights } from '../livekit/join-token.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from '../livekit/livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import { rightsOf } from './participant-rights.js';
import type { Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

type RightsByUid = ReadonlyMap<string, ParticipantRights>;

/** The rights that a participant should have and that differ from those in LiveKit. */
type RightsCorrection = ParticipantRights & { uid: string; changedAt?: Date };

/** A class, and its participants according to LiveKit. */
export interface ClassToCorrect {
  room: Room;
  participants: readonly LiveKitParticipant[];
}

/** Classes whose rights are corrected at once. */
const CLASSES_IN_PARALLEL = 16;
/** Calls to LiveKit at once, for a class whose rights change together. */
const CALLS_IN_PARALLEL = 8;

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class RightsReconciler {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** Corrects in LiveKit the rights of participants who have other ones than our rows say, because of an old token or a failed call. */
  async correct(classes: readonly ClassToCorrect[]): Promise<void> {
    if (classes.length === 0) return;
    const rights = await this.findRights(classes);
    await inParallel(classes, CLASSES_IN_PARALLEL, ({ room, participants }) =>
      this.applyCorrections(room.sid, mismatches(rights.get(room.sid) ?? new Map(), participants)),
    );
  }

  /**
   * By room, the rights by uid of the participants whose token may not state them: those with permission to speak, with a changed role or with
   * permissions of their own; in a class whose settings decide about rights, those of everyone.
   */
  private async findRights(classes: readonly ClassToCorrect[]): Promise<ReadonlyMap<string, RightsByUid>> {
    const found = new Map(classes.map(({ room }) => [room.sid, { room, rights: new Map<string, ParticipantRights>() }]));
    const asked = classes
      .filter(({ room }) => decidesRights(settingsOf(room)))
      .flatMap(({ room: { sid }, participants }) => participants.map(({ identity: uid = '' }) => ({ sid, uid })));
    const changed = await this.participants.listChangedRights([...found.keys()]);
    const rows = asked.length > 0 ? [...changed, ...(await this.participants.listRights(asked))] : changed;
    for (const row of rows) {
      const of = found.get(row.sid);
      of?.rights.set(row.uid, rightsOf(of.room, row));
    }
    return new Map([...found].map(([sid, { rights }]) => [sid, rights]));
  }

  /** Applies the rights in a participant's row, if they are connected, and has their page request its session again. */
  async applyOwn(room: Room, uid: string): Promise<void> {
    const [row] = await this.participants.listRights([{ sid: room.sid, uid }]);
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

/** The participants of a list who have other rights in LiveKit, each with the right ones. */
function mismatches(rightsOverridingToken: RightsByUid, participants: readonly LiveKitParticipant[]): RightsCorrection[] {
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

/** Whether tokens of the class may be without what its settings say about rights. */
const decidesRights = ({ consent, waitingRoom, permissions }: RoomSettings) =>
  consent.recording !== null || waitingRoom !== 'OFF' || Object.keys(permissions).length > 0;

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
