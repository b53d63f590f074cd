import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { grantsOf } from '../roles/role-grants.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import type { Right } from './right.js';

/** The rights that a participant should have and that differ from those in LiveKit. */
export type WrongRight = Right & { uid: string };

const LISTENER: Right = { role: 'STUDENT', maySpeak: false };

/** The rights of a class's participants. Our rows decide; LiveKit knows only what a token states, and is corrected. */
@Injectable()
export class Rights {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** The rights, by uid, of the participants whose token does not state them: those with permission to speak or with a changed role. */
  async untold(tx: Transaction, sid: string): Promise<ReadonlyMap<string, Right>> {
    const rows = await this.participants.changedRights(tx, sid);
    return new Map(rows.map(({ uid, role, maySpeak }) => [uid, { role, maySpeak }]));
  }

  /** The participants of a list who have other rights in LiveKit, because of an old token or a failed call, each with the right ones. */
  wrong(sid: string, untold: ReadonlyMap<string, Right>, participants: readonly LiveKitParticipant[]): WrongRight[] {
    return participants.flatMap(({ identity = '', attributes, permission }) => {
      const role = attributes?.['role'];
      const right = untold.get(identity) ?? (role === 'STUDENT' ? LISTENER : undefined);
      if (!right) return [];
      const { canPublish } = grantsOf(right.role, sid, right.maySpeak);
      return role === right.role && Boolean(permission?.canPublish) === canPublish ? [] : [{ uid: identity, ...right }];
    });
  }

  /** If LiveKit is unreachable, the reconciler corrects the rights later. */
  async correct(sid: string, rights: readonly WrongRight[]): Promise<void> {
    for (const { uid, role, maySpeak } of rights) {
      await this.livekit.grant(sid, uid, role, maySpeak).catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'permissions not yet applied in LiveKit; will retry');
      });
    }
  }
}
