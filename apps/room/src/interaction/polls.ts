import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  closePoll,
  createPoll,
  interactionRpc,
  invalidField,
  votePoll,
  type Poll,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { permissionsOf } from '../participants/participant-rights.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ClassChanges, toViewer } from './class-states.js';
import { asSeenInClass, PollsRepository, PollVotesRepository, type Vote } from './polls.repository.js';

const MAX_POLLS = 100;
/** Votes that are read together. */
const VOTES_PER_READ = 5_000;

@Injectable()
export class Polls {
  constructor(
    private readonly database: Database,
    private readonly authorizer: ClassAuthorizer,
    private readonly rooms: RoomReadsRepository,
    private readonly polls: PollsRepository,
    private readonly votes: PollVotesRepository,
    private readonly changes: ClassChanges,
    private readonly clock: Clock,
    private readonly streams: TextStreams,
  ) {}

  /** @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, TOO_MANY_POLLS, VALIDATION_FAILED (no such option is correct) */
  @Handles(createPoll)
  async createPoll({ caller, question, options, hideResult, correctOption }: RpcInput<typeof createPoll>): Promise<Poll> {
    if (correctOption !== undefined && correctOption >= options.length)
      throw invalidField('correctOption', `must be less than ${options.length}`);
    return this.database.transaction(async (tx) => {
      const { participant } = await this.authorizer.requirePermission(tx, caller, 'managePolls');
      if ((await this.polls.count(tx, caller.sid)) >= MAX_POLLS) throw new AppError('TOO_MANY_POLLS');
      const poll: Poll = {
        pollId: randomUUID(),
        question,
        options: options.map((text) => ({ text, votes: 0 })),
        ...(hideResult && { hideResult }),
        ...(correctOption !== undefined && { correctOption }),
        status: 'open',
        totalVotes: 0,
        createdBy: { uid: participant.uid, name: participant.name },
        createdAt: this.clock.wall().toISOString(),
        closedAt: null,
      };
      await this.polls.add(tx, caller.sid, await this.changes.record(tx, caller.sid, 'polls'), poll);
      return asSeenInClass(poll, { managesPolls: true });
    });
  }

  /**
   * A repeated vote for the same option changes nothing, even after the poll is closed.
   * @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, POLL_NOT_FOUND, POLL_CLOSED, ALREADY_VOTED, VALIDATION_FAILED (no such option)
   */
  @Handles(votePoll)
  async votePoll({ caller, pollId, option }: RpcInput<typeof votePoll>): Promise<RpcOutput<typeof votePoll>> {
    return this.database.transaction(async (tx) => {
      const { room, participant } = await this.authorizer.requirePermission(tx, caller, 'answerPolls');
      const seen = (poll: Poll) => asSeenInClass(poll, toViewer({ uid: caller.uid, permissions: permissionsOf(room, participant) }));
      const poll = await this.find(tx, caller.sid, pollId);
      if (option >= poll.options.length) throw invalidField('option', `must be less than ${poll.options.length}`);
      const given = await this.votes.addOnce(tx, { pollId, uid: caller.uid, name: participant.name, option, votedAt: this.clock.wall() });
      if (given.option !== option) throw new AppError('ALREADY_VOTED');
      if (!given.isNew) return { poll: seen(poll), option };
      if (poll.status === 'closed') throw new AppError('POLL_CLOSED');
      await this.polls.recordVersion(tx, pollId, await this.changes.record(tx, caller.sid, 'polls'));
      return { poll: seen(await this.find(tx, caller.sid, pollId)), option };
    });
  }

  /** Closing again changes nothing. @throws AppError UNAUTHORIZED, FORBIDDEN, ROOM_ENDED, POLL_NOT_FOUND */
  @Handles(closePoll)
  async closePoll({ caller, pollId }: RpcInput<typeof closePoll>): Promise<Poll> {
    return this.database.transaction(async (tx) => {
      await this.authorizer.requirePermission(tx, caller, 'managePolls');
      const poll = await this.find(tx, caller.sid, pollId);
      if (poll.status === 'closed') return poll;
      await this.polls.close(tx, pollId, await this.changes.record(tx, caller.sid, 'polls'), this.clock.wall());
      return this.find(tx, caller.sid, pollId);
    });
  }

  /** The report for the organization's backend, also after the class. @throws AppError ROOM_NOT_FOUND */
  @Handles(interactionRpc.exportPolls)
  async exportPolls({ organizationId, roomId, inbox }: RpcInput<typeof interactionRpc.exportPolls>) {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    return this.streams.open(inbox, () => this.report(room.sid));
  }

  /** An array of polls in JSON, poll by poll. */
  private async *report(sid: string): AsyncGenerator<string> {
    let separator = '[';
    for (const poll of await this.polls.changedSince(sid, -1)) {
      yield separator + JSON.stringify({ ...poll, votes: await this.votesOn(poll.pollId) });
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  }

  /** In the order in which they were cast. */
  private async votesOn(pollId: string): Promise<Vote[]> {
    const pages: Vote[][] = [];
    for (let page: Vote[] | undefined; page === undefined || page.length === VOTES_PER_READ;) {
      page = await this.votes.page(pollId, page?.at(-1)?.uid ?? '', VOTES_PER_READ);
      pages.push(page);
    }
    return pages.flat().sort((a, b) => a.votedAt.localeCompare(b.votedAt) || a.uid.localeCompare(b.uid));
  }

  private async find(tx: Transaction, sid: string, pollId: string): Promise<Poll> {
    const poll = await this.polls.find(tx, sid, pollId);
    if (!poll) throw new AppError('POLL_NOT_FOUND');
    return poll;
  }
}
