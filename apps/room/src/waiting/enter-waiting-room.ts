import { Injectable } from '@nestjs/common';
import { participantAdmission, type OwnAdmission } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { ClassChanges } from '../interaction/class-changes.js';
import { ParticipantsRepository, type Participant } from '../participants/participants.repository.js';
import { WaitingRoomList } from '../participants/waiting-room-list.js';
import { toEventRoom, type Room } from '../rooms/room.js';

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
