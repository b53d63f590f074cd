import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { grantsOf } from '../roles/role-grants.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from './livekit-person.js';
import { ParticipantsRepository } from './participants.repository.js';
import type { Right } from './right.js';

/** What a participant whom LiveKit gives another role or permission should have. */
export type WrongRight = Right & { uid: string };

const LISTENER: Right = { role: 'STUDENT', maySpeak: false };

/** Who may what in a class. Our rows decide; LiveKit, which knows what a token said, is made to follow. */
@Injectable()
export class Rights {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly livekit: LiveKitRooms,
  ) {}

  /** Of those whose token does not tell it: who was given the word, or another role. */
  async untold(tx: Transaction, sid: string): Promise<ReadonlyMap<string, Right>> {
    const rows = await this.participants.changedRights(tx, sid);
    return new Map(rows.map(({ uid, role, maySpeak }) => [uid, { role, maySpeak }]));
  }

  /** Those in a list to whom LiveKit gives something else: by an old token, or after a call that failed. */
  wrong(sid: string, untold: ReadonlyMap<string, Right>, participants: readonly LiveKitParticipant[]): WrongRight[] {
    return participants.flatMap(({ identity = '', attributes, permission }) => {
      const role = attributes?.['role'];
      const right = untold.get(identity) ?? (role === 'STUDENT' ? LISTENER : undefined);
      if (!right) return [];
      const { canPublish } = grantsOf(right.role, sid, right.maySpeak);
      return role === right.role && Boolean(permission?.canPublish) === canPublish ? [] : [{ uid: identity, ...right }];
    });
  }

  /** Where LiveKit is away the reconciler does it. */
  async correct(sid: string, rights: readonly WrongRight[]): Promise<void> {
    for (const { uid, role, maySpeak } of rights) {
      await this.livekit.grant(sid, uid, role, maySpeak).catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'LiveKit does not know yet who may what');
      });
    }
  }
}
