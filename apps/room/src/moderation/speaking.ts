import { Injectable } from '@nestjs/common';
import { allowToSpeak, AppError, invalidField, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { ClassStates } from '../interaction/class-states.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { rightsOf } from '../participants/participant-rights.js';

/** Gives students permission to use their microphone, and revokes it. */
@Injectable()
export class Speaking {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly changes: ClassChanges,
    private readonly states: ClassStates,
    private readonly rights: RightsReconciler,
    private readonly clock: Clock,
  ) {}

  /**
   * Permission lowers the student's hand. When it is revoked, the student's tracks end immediately. If LiveKit is unreachable,
   * the reconciler corrects LiveKit later.
   * @throws AppError UNAUTHORIZED, FORBIDDEN (also if the student's own permissions do), PARTICIPANT_NOT_FOUND, ROOM_ENDED, VALIDATION_FAILED (not a student)
   */
  @Handles(allowToSpeak)
  async allowToSpeak({ caller, uid, allowed }: RpcInput<typeof allowToSpeak>): Promise<RpcOutput<typeof allowToSpeak>> {
    const { room, target } = await this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requirePermission(tx, caller, 'manageParticipants');
      const target = await this.participants.lock(tx, caller.sid, uid);
      if (!target) throw new AppError('PARTICIPANT_NOT_FOUND');
      if (target.role !== 'STUDENT') throw invalidField('uid', 'must be a student’s: everyone else may speak anyway');
      if (allowed && target.permissions?.publishAudio === false)
        throw new AppError('FORBIDDEN', { message: 'The participant may not use the microphone' });
      if (target.maySpeak === allowed) return { room, target };
      if (allowed) await this.participants.allowToSpeak(tx, caller.sid, uid, participant.name, this.clock.wall());
      else await this.participants.forbidToSpeak(tx, caller.sid, uid);
      await this.changes.record(tx, caller.sid, 'speakers', 'hands');
      return { room, target };
    });
    await this.rights.applyCorrections(caller.sid, [{ uid, ...rightsOf(room, { ...target, maySpeak: allowed }) }]);
    return { speakers: await this.states.speakers(caller.sid) };
  }
}
