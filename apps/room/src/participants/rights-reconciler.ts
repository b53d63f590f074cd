import { Injectable } from '@nestjs/common';
import { role as roleSchema } from '@classroom/contracts';
import type { Transaction } from '@classroom/persistence';
import { inParallel, logger } from '@classroom/platform';
import { UNRECORDED } from '../roles/join-token.js';
import { grantsOf } from '../roles/role-grants.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import { rightsOf, unlimited, type ParticipantRights } from '../roles/participant-rights.js';
import type { Room } from '../rooms/room.js';

export type RightsByUid = ReadonlyMap<string, ParticipantRights>;

/** The rights that a participant should have and that differ from those in LiveKit. */
export type RightsCorrection = ParticipantRights & { uid: string };

/** Calls to LiveKit at once, for a class whose rights change together. */
const CALLS_IN_PARALLEL = 8;

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class RightsReconciler {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /**
   * By room, the rights of the participants whose token does not state them, by uid: those with permission to speak or with a changed role; in a
   * class that asks for consent or has a waiting room, those of all `connected` ones.
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
      return room && (room.recordingConsent !== null || room.waitingRoom !== 'OFF');
    });
    const rows = await this.participants.listChangedRights(tx, [...found.keys()]);
    if (asked.length > 0) rows.push(...(await this.participants.listRights(tx, asked)));
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
      const { canPublish } = grantsOf(rights, sid);
      const isRight =
        role === rights.role &&
        Boolean(permission?.canPublish) === canPublish &&
        Boolean(attributes?.[UNRECORDED]) === rights.isUnrecorded &&
        !rights.isRefused;
      return isRight ? [] : [{ uid: identity, ...rights }];
    });
  }

  /** Evicts who has no place without consent or admission. If LiveKit is unreachable, the reconciler corrects the rights later. */
  async applyCorrections(sid: string, corrections: readonly RightsCorrection[]): Promise<void> {
    await inParallel(corrections, CALLS_IN_PARALLEL, async ({ uid, ...rights }) => {
      const call = rights.isRefused ? this.livekit.remove(sid, uid) : this.livekit.grant(sid, uid, rights);
      await call.catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'permissions not yet applied in LiveKit; will retry');
      });
    });
  }
}
