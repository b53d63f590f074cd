import { Injectable } from '@nestjs/common';
import { AppError, type ClassroomCaller, type Hand } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ActingParticipant } from '../participants/acting-participant.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from './class-changes.js';
import { ClassStates } from './class-states.js';

/** Raised hands, in the order they went up. Each answer is the whole list as it stands. */
@Injectable()
export class Hands {
  constructor(
    private readonly database: Database,
    private readonly acting: ActingParticipant,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly clock: Clock,
  ) {}

  /** A hand that is up already keeps its place. @throws AppError UNAUTHORIZED, ROOM_ENDED */
  async raise(caller: ClassroomCaller, raised: boolean): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.acting.present(tx, caller);
      await this.set(tx, caller.sid, 'uid = $3', caller.uid, raised);
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED */
  async lower(caller: ClassroomCaller, uid: string): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.acting.require(tx, caller, 'manageParticipants');
      if (!(await this.participants.lock(tx, caller.sid, uid))) throw new AppError('PARTICIPANT_NOT_FOUND');
      await this.set(tx, caller.sid, 'uid = $3', uid, false);
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  async lowerAll(caller: ClassroomCaller): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.acting.require(tx, caller, 'manageParticipants');
      await this.set(tx, caller.sid, '$3::text IS NULL', null, false);
    });
    return this.list(caller);
  }

  private async set(tx: Transaction, sid: string, whose: string, uid: string | null, raised: boolean): Promise<void> {
    const changed = await tx.query(
      `UPDATE participants SET hand_raised_at = $2
        WHERE sid = $1 AND ${whose} AND hand_raised_at IS ${raised ? '' : 'NOT'} NULL RETURNING uid`,
      [sid, raised ? this.clock.wall() : null, uid],
    );
    if (changed.length > 0) await this.changes.next(tx, sid, 'hands');
  }

  private async list({ sid }: ClassroomCaller): Promise<{ hands: Hand[] }> {
    return { hands: await this.states.hands(sid) };
  }
}
