import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, isAlias, newAlias } from '@classroom/platform';
import type { JetStreamClient } from '@nats-io/jetstream';
import {
  CONSUMERS,
  erasureRpc,
  namedBy,
  retentionRpc,
  type ErasureOutcome,
  type ErasureRequest,
  type PersonOrClass,
  type RpcInput,
} from '@classroom/contracts';
import { applyErasure, eraseOrganization, Expiry, Handles, JETSTREAM, waitUntilRead, type Holder } from '@classroom/messaging';
import { BoardRepository } from '../board/board.repository.js';
import { ChatReportsRepository, ChatRepository } from '../interaction/chat.repository.js';
import { PollsRepository, PollVotesRepository } from '../interaction/polls.repository.js';
import { EndRoom } from '../lifecycle/end-room.js';
import { ConsentsRepository } from '../participants/consents.repository.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { SessionAddressesRepository } from '../participants/session-addresses.repository.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { ParticipantMinutesRepository } from '../reports/participant-minutes.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RosterRepository } from '../rooms/roster.repository.js';
import { OldClassesRepository } from './old-classes.repository.js';

/** Replaces uid and name of people by a random pseudonym for each class. Times, votes and texts stay. */
@Injectable()
export class Pseudonymize {
  constructor(
    private readonly participants: ParticipantsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly board: BoardRepository,
    private readonly chat: ChatRepository,
    private readonly reports: ChatReportsRepository,
    private readonly polls: PollsRepository,
    private readonly votes: PollVotesRepository,
  ) {}

  /** Everyone in these classes. @returns the number of participants */
  async execute(tx: Transaction, sids: readonly string[]): Promise<number> {
    return this.replace(tx, await this.participants.listPeople(tx, sids));
  }

  /** @returns the number of participants */
  async replace(tx: Transaction, found: readonly { sid: string; uid: string }[]): Promise<number> {
    const people = found.filter(({ uid }) => !isAlias(uid)).map((person) => ({ ...person, alias: newAlias() }));
    if (people.length === 0) return 0;
    for (const table of [this.participants, this.connections, this.board, this.chat, this.reports, this.polls, this.votes])
      await table.pseudonymize(tx, people);
    return people.length;
  }
}

/**
 * Erases a person from all classes, everyone from one, or all classes. Rosters and classes of the future lose the person at once, and a future class
 * that is itself erased is cancelled. Any other class that is not over stays as it is until it is.
 */
@Injectable()
export class EraseFromClasses {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly participants: ParticipantsRepository,
    private readonly sessionAddresses: SessionAddressesRepository,
    private readonly connections: ConnectionsRepository,
    private readonly board: BoardRepository,
    private readonly chat: ChatRepository,
    private readonly reports: ChatReportsRepository,
    private readonly polls: PollsRepository,
    private readonly consents: ConsentsRepository,
    private readonly roster: RosterRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly pseudonymize: Pseudonymize,
    private readonly endRoom: EndRoom,
    private readonly clock: Clock,
    @Inject(JETSTREAM) private readonly jetstream: JetStreamClient,
  ) {}

  @Handles(erasureRpc.room)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject } = request;
    if ('organization' in subject) return eraseOrganization(this.database, request);
    if ('roomId' in subject) await this.cancelFuture(organizationId, subject.roomId);
    // Who came to a class shortly before its end may not be in its rows yet.
    const isRead = await waitUntilRead(this.jetstream, CONSUMERS.roomPresence);
    return applyErasure(this.database, request, async (tx) => {
      const { isComplete, counts } = await this.erase(tx, organizationId, subject);
      return { isComplete: isComplete && isRead, counts };
    });
  }

  private async cancelFuture(organizationId: string, roomId: string): Promise<void> {
    const classes = await this.database.transaction((tx) =>
      this.rooms.listErasable(tx, organizationId, { uid: null, roomId }, this.clock.now()),
    );
    if (classes.some(({ isFuture }) => isFuture)) await this.endRoom.execute({ organizationId, roomId });
  }

  private async erase(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureOutcome> {
    const { uid, roomId } = namedBy(subject);
    const list = () => this.rooms.listErasable(tx, organizationId, { uid, roomId }, this.clock.now());
    const all = (await list()).map(({ sid }) => sid);
    const expected = uid === null ? 0 : await this.roster.deleteFrom(tx, all, uid);
    // Those that had the person on their roster alone are not waited for.
    const classes = await list();
    const sids = classes.filter(({ isOver, isFuture }) => isOver || (isFuture && uid !== null)).map(({ sid }) => sid);
    const people = await this.participants.listPeople(tx, sids, uid);
    const counts = {
      'chat messages': uid === null ? await this.chat.deleteOf(tx, sids) : await this.chat.deleteBy(tx, people),
      'chat reports': uid === null ? await this.reports.deleteOf(tx, sids) : 0,
      'board elements': await this.board.deleteBy(tx, people),
      polls: uid === null ? await this.polls.deleteOf(tx, sids) : 0,
      'measured minutes': await this.minutes.deleteBy(tx, people),
      'session addresses': await this.sessionAddresses.deleteBy(tx, people),
      'connection addresses': await this.connections.clearAddressesOf(tx, people),
      consents: await this.consents.countBy(tx, people),
      'roster entries': expected + (uid === null ? await this.roster.deleteFrom(tx, sids) : 0),
      participants: await this.pseudonymize.replace(tx, people),
      'class details': uid === null ? await this.rooms.forgetDetails(tx, sids) : 0,
    };
    return { isComplete: sids.length === classes.length, counts };
  }
}

/** Data of a class becomes old as a whole, from the end of the class. */
@Injectable()
abstract class ClassExpiry extends Expiry {
  constructor(
    database: Database,
    private readonly rooms: RoomReadsRepository,
  ) {
    super(database);
  }

  protected find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.rooms.findFinished(organizationId, after, before, limit);
  }
}

@Injectable()
export class AddressExpiry extends ClassExpiry {
  readonly dataClass = 'addresses';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly sessionAddresses: SessionAddressesRepository,
    private readonly connections: ConnectionsRepository,
  ) {
    super(database, rooms);
  }

  protected async erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return (await this.sessionAddresses.deleteOf(tx, sids)) + (await this.connections.clearAddresses(tx, sids));
  }
}

/** Reactions need none: they are deleted within minutes. */
@Injectable()
export class ChatExpiry extends ClassExpiry {
  readonly dataClass = 'chat';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly chat: ChatRepository,
    private readonly reports: ChatReportsRepository,
  ) {
    super(database, rooms);
  }

  protected async erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return (await this.chat.deleteOf(tx, sids)) + (await this.reports.deleteOf(tx, sids));
  }
}

@Injectable()
export class BoardExpiry extends ClassExpiry {
  readonly dataClass = 'board';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly board: BoardRepository,
  ) {
    super(database, rooms);
  }

  protected erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return this.board.deleteOf(tx, sids);
  }
}

@Injectable()
export class EngagementExpiry extends ClassExpiry {
  readonly dataClass = 'engagement';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly minutes: ParticipantMinutesRepository,
    private readonly participants: ParticipantsRepository,
  ) {
    super(database, rooms);
  }

  protected async erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return (await this.minutes.deleteOf(tx, sids)) + (await this.participants.forgetCounts(tx, sids));
  }
}

@Injectable()
export class PollExpiry extends ClassExpiry {
  readonly dataClass = 'polls';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly polls: PollsRepository,
  ) {
    super(database, rooms);
  }

  protected erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return this.polls.deleteOf(tx, sids);
  }
}

@Injectable()
export class PresenceExpiry extends ClassExpiry {
  readonly dataClass = 'presence';

  constructor(
    database: Database,
    rooms: RoomReadsRepository,
    private readonly pseudonymize: Pseudonymize,
    private readonly roster: RosterRepository,
  ) {
    super(database, rooms);
  }

  protected async erase(tx: Transaction, _organizationId: string, sids: string[]): Promise<number> {
    return (await this.pseudonymize.execute(tx, sids)) + (await this.roster.deleteFrom(tx, sids));
  }
}

/** How many classes a shorter retention concerns. */
@Injectable()
export class CountOldClasses {
  constructor(private readonly classes: OldClassesRepository) {}

  @Handles(retentionRpc.room)
  async execute({ organizationId, dataClass, since, before }: RpcInput<typeof retentionRpc.room>) {
    const { old, all, oldestAt } = await this.classes.count(organizationId, dataClass, new Date(since), new Date(before));
    return { old, all, oldestAt: oldestAt?.toISOString() ?? null };
  }
}
