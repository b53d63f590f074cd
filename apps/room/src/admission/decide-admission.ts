import { Injectable } from '@nestjs/common';
import { admitEveryone, AppError, decideAdmission, participantAdmission, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { ClassChanges } from '../interaction/class-changes.js';
import { actorOf, ClassAuthorizer, isParticipant, type Actor } from '../participants/class-authorizer.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { WaitingRoomList } from '../participants/waiting-room-list.js';
import { toEventRoom, type Room } from '../rooms/room.js';

type Person = { uid: string; name: string; role: string };

/** Lets participants in from the waiting room, or refuses them. Their pages ask, so they learn it within seconds. */
@Injectable()
export class DecideAdmission {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly waiting: WaitingRoomList,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * A repeated decision changes nothing.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, PARTICIPANT_NOT_FOUND, ROOM_ENDED, PARTICIPANT_ADMITTED
   */
  @Handles(decideAdmission)
  async decide(input: RpcInput<typeof decideAdmission>): Promise<RpcOutput<typeof decideAdmission>> {
    const { uid, decision } = input;
    const actor = actorOf(input);
    const state = decision === 'ADMIT' ? 'ADMITTED' : 'REFUSED';
    await this.database.transaction(async (tx) => {
      // A moderator lets in the teacher who waits, too.
      const { room, target } =
        decision === 'ADMIT'
          ? await this.authorizer.authorizeToTarget(tx, actor, uid)
          : await this.authorizer.authorizeModeration(tx, actor, uid);
      if (target.admission === state) return;
      if (target.admission === 'ADMITTED') throw new AppError('PARTICIPANT_ADMITTED');
      const now = this.clock.wall();
      await this.participants.decideAdmission(tx, room.sid, uid, state, now);
      await this.publish(tx, room, actor, [target], state, now);
    });
    await failpoint('room.admission.after-commit');
    return { uid, state };
  }

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_NOT_FOUND, ROOM_ENDED */
  @Handles(admitEveryone)
  async admitEveryone(input: RpcInput<typeof admitEveryone>): Promise<RpcOutput<typeof admitEveryone>> {
    const actor = actorOf(input);
    return this.database.transaction(async (tx) => {
      const room = await this.authorizer.authorizeActor(tx, actor, 'manageParticipants');
      const now = this.clock.wall();
      const people = await this.participants.admitWaiting(tx, room.sid, now, this.waiting.seenAfter());
      if (people.length > 0) await this.publish(tx, room, actor, people, 'ADMITTED', now);
      return { admitted: people.length };
    });
  }

  private async publish(tx: Transaction, room: Room, actor: Actor, people: readonly Person[], state: 'ADMITTED' | 'REFUSED', at: Date) {
    await this.changes.record(tx, room.sid, 'waiting');
    const decided = { ...toEventRoom(room), state, by: isParticipant(actor) ? actor.uid : '', at: at.toISOString() };
    await this.outbox.addAll(
      tx,
      people.map(({ uid, name, role }) => fact(participantAdmission, room.sid, { ...decided, uid, name, role })),
    );
  }
}
