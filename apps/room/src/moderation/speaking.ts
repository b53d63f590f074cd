import { Injectable } from '@nestjs/common';
import { AppError, invalidField, type ClassroomCaller, type interactionRpc, type RpcOutput } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, logger } from '@classroom/platform';
import { ActingParticipant } from '../classroom/acting-participant.js';
import { ParticipantsRepository } from '../classroom/participants.repository.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { ClassStates } from '../interaction/class-states.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import type { LiveKitParticipant } from '../presence/livekit-person.js';

/** Somebody whose right to publish in LiveKit is not what our rows say. */
export interface WrongRight {
  uid: string;
  maySpeak: boolean;
}

/** Students who may use their microphone for now. Our rows decide; LiveKit is made to follow. */
@Injectable()
export class Speaking {
  constructor(
    private readonly database: Database,
    private readonly acting: ActingParticipant,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /**
   * Taking it back also lowers the hand's claim: tracks end at once. Where LiveKit is away the reconciler does it.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED, VALIDATION_FAILED (not a student)
   */
  async allow(caller: ClassroomCaller, uid: string, allowed: boolean): Promise<RpcOutput<typeof interactionRpc.allowToSpeak>> {
    await this.database.transaction(async (tx) => {
      const { participant } = await this.acting.require(tx, caller, 'manageParticipants');
      const target = await this.participants.lock(tx, caller.sid, uid);
      if (!target) throw new AppError('PARTICIPANT_NOT_FOUND');
      if (target.role !== 'STUDENT') throw invalidField('uid', 'must be a student’s: everyone else may speak anyway');
      if (target.maySpeak === allowed) return;
      // Who is given the word has been seen: the hand goes down with it.
      await tx.query(
        `UPDATE participants SET speaks_since = $3, allowed_by = $4, hand_raised_at = CASE WHEN $5 THEN NULL ELSE hand_raised_at END
          WHERE sid = $1 AND uid = $2`,
        [caller.sid, uid, allowed ? this.clock.wall() : null, allowed ? participant.name : null, allowed],
      );
      await this.changes.next(tx, caller.sid, 'speakers', 'hands');
    });
    await this.correct(caller.sid, [{ uid, maySpeak: allowed }]);
    return { speakers: await this.states.speakers(caller.sid) };
  }

  /** Of the students given, those whose right in LiveKit differs from the rows: an old token, or a call that failed. */
  async wrongRights(tx: Transaction, sid: string, participants: readonly LiveKitParticipant[]): Promise<WrongRight[]> {
    const students = participants.filter(({ attributes }) => attributes?.['role'] === 'STUDENT');
    if (students.length === 0) return [];
    const rows = await tx.query<{ uid: string }>('SELECT uid FROM participants WHERE sid = $1 AND speaks_since IS NOT NULL', [sid]);
    const speakers = new Set(rows.map(({ uid }) => uid));
    return students
      .filter(({ identity, permission }) => Boolean(permission?.canPublish) !== speakers.has(identity ?? ''))
      .map(({ identity }) => ({ uid: identity ?? '', maySpeak: speakers.has(identity ?? '') }));
  }

  async correct(sid: string, rights: readonly WrongRight[]): Promise<void> {
    for (const { uid, maySpeak } of rights) {
      await this.livekit.letSpeak(sid, uid, maySpeak).catch((error: unknown) => {
        logger.warn({ err: error, sid }, 'LiveKit does not know yet who may speak');
      });
    }
  }
}
