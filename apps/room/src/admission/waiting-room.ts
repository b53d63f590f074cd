import { Injectable } from '@nestjs/common';
import {
  admitEveryone,
  AppError,
  decideAdmission,
  getAdmission,
  listWaiting,
  participantAdmission,
  type OwnAdmission,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { fact, Handles, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { ClassChanges } from '../interaction/class-states.js';
import { actorOf, ClassAuthorizer, isParticipant, type Actor } from '../participants/class-authorizer.js';
import { isOutside } from '../participants/participant-rights.js';
import { ParticipantsRepository, type Participant } from '../participants/participants.repository.js';
import { WaitingRoomList } from '../participants/waiting-room-list.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { settingsOf } from '../schema/settings.js';

/** A participant comes to the waiting room. */
@Injectable()
export class EnterWaitingRoom {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly waiting: WaitingRoomList,
    private readonly changes: ClassChanges,
    private readonly outbox: Outbox,
  ) {}

  /** Within the transaction that has locked both rows. A page that is opened again keeps its place; after a longer absence it knocks again. */
  async execute(tx: Transaction, room: Room, participant: Participant, now: Date): Promise<OwnAdmission> {
    const { uid, name, role, admission, waitsSince, waitingSeenAt } = participant;
    const isThere = admission === 'WAITING' && waitingSeenAt !== null && waitingSeenAt > this.waiting.seenAfter();
    const since = isThere && waitsSince ? waitsSince : now;
    await this.participants.knock(tx, room.sid, uid, since, now);
    if (!isThere) {
      await this.changes.record(tx, room.sid, 'waiting');
      const data = { ...toEventRoom(room), uid, name, role, state: 'WAITING' as const, by: '', at: since.toISOString() };
      await this.outbox.add(tx, fact(participantAdmission, room.sid, data));
    }
    return { state: 'WAITING', waitingSince: since.toISOString() };
  }
}

/** Milliseconds: a page that asks more often is not recorded more often. */
const SEEN_INTERVAL_MS = 10_000;

/** Says to the page of a waiting participant whether it still waits, and records that the page is there. */
@Injectable()
export class GetAdmission {
  constructor(
    private readonly authorizer: ClassAuthorizer,
    private readonly participants: ParticipantsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, ROOM_ENDED */
  @Handles(getAdmission)
  async execute({ caller }: RpcInput<typeof getAdmission>): Promise<OwnAdmission> {
    const row = await this.authorizer.findOwnAdmission(caller);
    const waitingSince = row.waitsSince?.toISOString() ?? null;
    if (!isOutside(row, row)) return { state: 'ADMITTED', waitingSince };
    if (row.admission === 'REFUSED') return { state: 'REFUSED', waitingSince };
    const now = this.clock.wall();
    const isRecorded = row.waitingSeenAt !== null && now.getTime() - row.waitingSeenAt.getTime() < SEEN_INTERVAL_MS;
    if (!isRecorded) await this.participants.seeWaiting(caller.sid, caller.uid, now);
    return { state: 'WAITING', waitingSince };
  }
}

@Injectable()
export class ListWaiting {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly waiting: WaitingRoomList,
  ) {}

  /** Empty for a class that is over. @throws AppError ROOM_NOT_FOUND */
  @Handles(listWaiting)
  async execute({ organizationId, roomId }: RpcInput<typeof listWaiting>): Promise<RpcOutput<typeof listWaiting>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const isOpen = room.state !== 'finished' && settingsOf(room).waitingRoom !== 'OFF';
    return { participants: isOpen ? await this.waiting.list(room.sid) : [] };
  }
}

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
