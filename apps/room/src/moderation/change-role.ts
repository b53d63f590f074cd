import { Injectable } from '@nestjs/common';
import { AppError, changeRole, outranks, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { actorOf, ClassAuthorizer } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ClassChanges } from '../interaction/class-changes.js';
import { CommitPresence } from '../presence/commit-presence.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { rightsOf } from '../participants/participant-rights.js';

@Injectable()
export class ChangeRole {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly changes: ClassChanges,
    private readonly rights: RightsReconciler,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes effect immediately for our API, and for LiveKit as soon as LiveKit answers, whatever role the participant's tokens
   * name. A participant gives no role that is higher than their own.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED
   */
  @Handles(changeRole)
  async execute(input: RpcInput<typeof changeRole>): Promise<RpcOutput<typeof changeRole>> {
    const { uid, role } = input;
    const { room, target } = await this.database.transaction(async (tx) => {
      const { room, target, by } = await this.authorizer.authorizeModeration(tx, actorOf(input), uid);
      if (by && outranks(role, by.role)) throw new AppError('FORBIDDEN', { message: 'The role is higher than yours' });
      await this.participants.changeRole(tx, room.sid, uid, role, this.clock.wall());
      const present = await this.connections.findRelated(tx, room.sid, '', uid);
      const changed = present.filter((interval) => interval.leftAt === null && interval.role !== role);
      await this.commitPresence.execute(
        tx,
        room,
        changed.map((interval) => ({ ...interval, role })),
      );
      await this.changes.record(tx, room.sid, 'speakers', 'hands');
      return { room, target };
    });
    await this.rights.applyCorrections(room.sid, [{ uid, ...rightsOf(room, { ...target, role, maySpeak: false }) }]);
    return { uid, role };
  }
}
