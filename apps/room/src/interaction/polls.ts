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
import { fitMessage, Handles } from '@classroom/messaging';
import { cursorOf, Database, type Transaction } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { z } from 'zod';
import { ClassAuthorizer } from '../participants/class-authorizer.js';
import { permissionsOf } from '../participants/participant-rights.js';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { ClassChanges } from './class-changes.js';
import { toViewer } from './class-states.js';
import { PollsRepository, PollVotesRepository } from './polls.repository.js';
import { asSeenInClass } from './to-poll.js';

type PollPage = RpcOutput<typeof interactionRpc.pollPage>;

const MAX_POLLS = 100;
/** Bytes of a page of the report at most: a page is one NATS message. */
const PAGE_BYTES = 400 * 1024;
/** Votes read at a time: more than a page holds even if they are short. */
const VOTES_PER_READ = 5_000;

/** Where a page ends: the votes of this poll up to this uid have been returned. */
const cursors = cursorOf(z.object({ pollId: z.string(), uid: z.string() }));

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

  /**
   * A page of the report for the organization's backend, also after the class.
   * @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED (cursor)
   */
  @Handles(interactionRpc.pollPage)
  async getPollPage({ organizationId, roomId, cursor }: RpcInput<typeof interactionRpc.pollPage>): Promise<PollPage> {
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const from = cursor === undefined ? undefined : cursors.decode(cursor);
    const all = await this.polls.changedSince(room.sid, -1);
    const begin = from ? all.findIndex(({ pollId }) => pollId === from.pollId) : 0;
    // The polls of a room are erased together.
    if (begin < 0 && all.length > 0) throw invalidField('cursor', 'must be one that a page before gave');
    const page: PollPage['polls'] = [];
    let remainingBytes = PAGE_BYTES;
    for (const poll of all.slice(Math.max(begin, 0))) {
      const after = from?.pollId === poll.pollId ? from.uid : '';
      remainingBytes -= Buffer.byteLength(JSON.stringify(poll));
      const found = await this.votes.page(poll.pollId, after, VOTES_PER_READ);
      const votes = fitMessage(found, remainingBytes);
      if (remainingBytes < 0 && page.length > 0) return { polls: page, nextCursor: cursors.encode({ pollId: poll.pollId, uid: after }) };
      page.push({ ...poll, votes });
      if (votes.length < found.length || found.length === VOTES_PER_READ)
        return { polls: page, nextCursor: cursors.encode({ pollId: poll.pollId, uid: votes.at(-1)?.uid ?? after }) };
      remainingBytes -= Buffer.byteLength(JSON.stringify(votes));
    }
    return { polls: page, nextCursor: null };
  }

  private async find(tx: Transaction, sid: string, pollId: string): Promise<Poll> {
    const poll = await this.polls.find(tx, sid, pollId);
    if (!poll) throw new AppError('POLL_NOT_FOUND');
    return poll;
  }
}
