import { Injectable } from '@nestjs/common';
import { retentionRpc, type RpcInput } from '@classroom/contracts';
import { Expiry, Handles, type Holder } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { ParticipantMinutesRepository } from '../reports/participant-minutes.repository.js';
import { BoardRepository } from '../board/board.repository.js';
import { ChatReportsRepository, ChatRepository } from '../interaction/chat.repository.js';
import { PollsRepository } from '../interaction/polls.repository.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { SessionAddressesRepository } from '../participants/session-addresses.repository.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { RosterRepository } from '../rooms/roster.repository.js';
import { OldClassesRepository } from './old-classes.repository.js';
import { Pseudonymize } from './erase-from-classes.js';

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
