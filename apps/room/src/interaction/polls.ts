import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  invalidField,
  type interactionRpc,
  type Poll,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ActingParticipant } from '../classroom/acting-participant.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ClassChanges } from './class-changes.js';
import { PollsRepository } from './polls.repository.js';

const MAX_POLLS = 100;

@Injectable()
export class Polls {
  constructor(
    private readonly database: Database,
    private readonly acting: ActingParticipant,
    private readonly rooms: RoomsRepository,
    private readonly polls: PollsRepository,
    private readonly changes: ClassChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, TOO_MANY_POLLS */
  async create({ caller, question, options }: RpcInput<typeof interactionRpc.createPoll>): Promise<Poll> {
    return this.database.transaction(async (tx) => {
      const { participant } = await this.acting.require(tx, caller, 'managePolls');
      if ((await this.polls.count(tx, caller.sid)) >= MAX_POLLS) throw new AppError('TOO_MANY_POLLS');
      const poll: Poll = {
        pollId: randomUUID(),
        question,
        options: options.map((text) => ({ text, votes: 0 })),
        status: 'open',
        totalVotes: 0,
        createdBy: { uid: participant.uid, name: participant.name },
        createdAt: this.clock.wall().toISOString(),
        closedAt: null,
      };
      await this.polls.add(tx, caller.sid, await this.changes.next(tx, caller.sid, 'polls'), poll);
      return poll;
    });
  }

  /**
   * The same choice again changes nothing, also once the poll is closed.
   * @throws AppError UNAUTHORIZED, ROOM_ENDED, POLL_NOT_FOUND, POLL_CLOSED, ALREADY_VOTED, VALIDATION_FAILED (no such option)
   */
  async vote({ caller, pollId, option }: RpcInput<typeof interactionRpc.vote>): Promise<RpcOutput<typeof interactionRpc.vote>> {
    return this.database.transaction(async (tx) => {
      const { participant } = await this.acting.present(tx, caller);
      const poll = await this.find(tx, caller.sid, pollId);
      if (option >= poll.options.length) throw invalidField('option', `must be less than ${poll.options.length}`);
      const given = await this.polls.vote(tx, pollId, { uid: caller.uid, name: participant.name, option, at: this.clock.wall() });
      if (given.option !== option) throw new AppError('ALREADY_VOTED');
      if (!given.isNew) return { poll, option };
      if (poll.status === 'closed') throw new AppError('POLL_CLOSED');
      await this.polls.touch(tx, pollId, await this.changes.next(tx, caller.sid, 'polls'));
      return { poll: await this.find(tx, caller.sid, pollId), option };
    });
  }

  /** Closing again changes nothing. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, POLL_NOT_FOUND */
  async close({ caller, pollId }: RpcInput<typeof interactionRpc.closePoll>): Promise<Poll> {
    return this.database.transaction(async (tx) => {
      await this.acting.require(tx, caller, 'managePolls');
      const poll = await this.find(tx, caller.sid, pollId);
      if (poll.status === 'closed') return poll;
      await this.polls.close(tx, pollId, await this.changes.next(tx, caller.sid, 'polls'), this.clock.wall());
      return this.find(tx, caller.sid, pollId);
    });
  }

  /** For the organization's backend, also after the class. @throws AppError ROOM_NOT_FOUND */
  async report({ organizationId, roomId }: RpcInput<typeof interactionRpc.polls>): Promise<RpcOutput<typeof interactionRpc.polls>> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return this.polls.report(room.sid);
  }

  private async find(tx: Transaction, sid: string, pollId: string): Promise<Poll> {
    const poll = await this.polls.find(tx, sid, pollId);
    if (!poll) throw new AppError('POLL_NOT_FOUND');
    return poll;
  }
}
