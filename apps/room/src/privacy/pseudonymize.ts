import { Injectable } from '@nestjs/common';
import type { Transaction } from '@classroom/persistence';
import { isAlias, newAlias } from '@classroom/platform';
import { BoardRepository } from '../board/board.repository.js';
import { ChatReportsRepository, ChatRepository } from '../interaction/chat.repository.js';
import { PollsRepository, PollVotesRepository } from '../interaction/polls.repository.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { ConnectionsRepository } from '../presence/connections.repository.js';

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
