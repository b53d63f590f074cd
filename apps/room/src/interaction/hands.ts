import { Injectable } from '@nestjs/common';
import { lowerAllHands, lowerHand, raiseHand, type ClassroomCaller, type Hand, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from './class-changes.js';
import { ClassStates } from './class-states.js';

/** Raised hands, in the order in which they were raised. Each answer is the whole current list. */
@Injectable()
export class Hands {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly clock: Clock,
  ) {}

  /** A hand that is already raised keeps its place. Everyone may lower their own. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(raiseHand)
  async raiseHand({ caller, raised }: RpcInput<typeof raiseHand>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      if (raised) await this.authorizer.requirePermission(tx, caller, 'raiseHand');
      else await this.authorizer.requireCurrentSession(tx, caller);
      const changed = raised
        ? await this.participants.raiseHand(tx, caller.sid, caller.uid, this.clock.wall())
        : await this.participants.lowerHand(tx, caller.sid, caller.uid);
      if (changed) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, PARTICIPANT_NOT_FOUND, ROOM_ENDED */
  @Handles(lowerHand)
  async lowerHand({ caller, uid }: RpcInput<typeof lowerHand>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.authorizer.authorizeToTarget(tx, caller, uid);
      if (await this.participants.lowerHand(tx, caller.sid, uid)) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED */
  @Handles(lowerAllHands)
  async lowerAllHands({ caller }: RpcInput<typeof lowerAllHands>): Promise<{ hands: Hand[] }> {
    await this.database.transaction(async (tx) => {
      await this.authorizer.requirePermission(tx, caller, 'manageParticipants');
      if (await this.participants.lowerHands(tx, caller.sid)) await this.changes.record(tx, caller.sid, 'hands');
    });
    return this.list(caller);
  }

  private async list({ sid }: ClassroomCaller): Promise<{ hands: Hand[] }> {
    return { hands: await this.states.hands(sid) };
  }
}
