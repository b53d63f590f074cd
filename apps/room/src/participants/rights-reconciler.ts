import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { grantsOf } from '../roles/role-grants.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import type { ParticipantRights } from './participant-rights.js';

export type RightsByUid = ReadonlyMap<string, ParticipantRights>;

/** The rights that a participant should have and that differ from those in LiveKit. */
export type RightsCorrection = ParticipantRights & { uid: string };

const LISTENER: ParticipantRights = { role: 'STUDENT', maySpeak: false };

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class RightsReconciler {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /**
   * By room, the rights of the participants whose token does not state them, by uid: those with permission to speak or with a changed role.
   */
  async findRightsOverridingToken(tx: Transaction, sids: readonly string[]): Promise<ReadonlyMap<string, RightsByUid>> {
    const rooms = new Map(sids.map((sid) => [sid, new Map<string, ParticipantRights>()]));
    if (sids.length === 0) return rooms;
    for (const { sid, uid, role, maySpeak } of await this.participants.listChangedRights(tx, sids))
      rooms.get(sid)?.set(uid, { role, maySpeak });
    return rooms;
  }

  /** The participants of a list who have other rights in LiveKit, because of an old token or a failed call, each with the right ones. */
  findMismatches(sid: string, rightsOverridingToken: RightsByUid, participants: readonly LiveKitParticipant[]): RightsCorrection[] {
    return participants.flatMap(({ identity = '', attributes, permission }) => {
      const role = attributes?.['role'];
      const rights = rightsOverridingToken.get(identity) ?? (role === 'STUDENT' ? LISTENER : undefined);
      if (!rights) return [];
      const { canPublish } = grantsOf(rights.role, sid, rights.maySpeak);
      return role === rights.role && Boolean(permission?.canPublish) === canPublish ? [] : [{ uid: identity, ...rights }];
    });
  }

  /** If LiveKit is unreachable, the reconciler corrects the rights later. */
  async applyCorrections(sid: string, corrections: readonly RightsCorrection[]): Promise<void> {
    for (const { uid, role, maySpeak } of corrections) {
      await this.livekit.grant(sid, uid, role, maySpeak).catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'permissions not yet applied in LiveKit; will retry');
      });
    }
  }
}
