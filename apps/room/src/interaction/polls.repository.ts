import { Injectable } from '@nestjs/common';
import type { Poll, pollReport } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, type Transaction } from '@classroom/persistence';
import { z } from 'zod';
import { MoreThan } from 'typeorm';
import type { Pseudonym } from '../participants/participants.repository.js';
import { PollVoteEntity } from '../schema/poll-vote.entity.js';
import { PollEntity } from '../schema/poll.entity.js';
import { sql } from '../schema/sql.js';

type PollRow = Omit<PollEntity, 'sid' | 'version'> & { counts: unknown };

/** Votes by the index of the option; options without votes are left out. */
const votesByOption = z.record(z.string(), z.number().int());

/** A poll with everything that is known of it. What a class sees of it: `asSeenInClass`. */
function toPoll({ pollId, question, options, counts, hideResult, correctOption, createdBy, creator, createdAt, closedAt }: PollRow): Poll {
  const votes = votesByOption.parse(counts);
  const answers = options.map((text, index) => ({ text, votes: votes[String(index)] ?? 0 }));
  return {
    pollId,
    question,
    options: answers,
    ...(hideResult && { hideResult }),
    ...(correctOption !== null && { correctOption }),
    status: closedAt ? 'closed' : 'open',
    totalVotes: answers.reduce((sum, answer) => sum + answer.votes, 0),
    createdBy: { uid: createdBy, name: creator },
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
}

/** Whether `poll` looks different for those who manage polls and for the others. */
export const hidesVotes = ({ status, hideResult }: Poll): boolean => status === 'open' && hideResult === true;

/** While a poll is open, no participant learns which option is correct, and only who manages polls which option was chosen how often. */
export function asSeenInClass(poll: Poll, viewer: { managesPolls: boolean }): Poll {
  if (poll.status === 'closed') return poll;
  const { correctOption: _, ...open } = poll;
  if (!hidesVotes(poll) || viewer.managesPolls) return open;
  return { ...open, options: open.options.map(({ text }) => ({ text, votes: 0 })) };
}

/** Votes are counted from the rows each time; no counter is incremented. */
const POLL = `
  SELECT ${columnsOf(PollEntity, { from: 'p', except: ['sid', 'version'] })}, coalesce((
           SELECT json_object_agg(c.option, c.votes) FROM (
             SELECT option, count(*) AS votes FROM poll_votes v WHERE v.poll_id = p.poll_id GROUP BY option) c
         ), '{}') AS counts
    FROM polls p`;

const changedSince = sql('polls.changedSince', `${POLL} WHERE p.sid = $1 AND p.version > $2 ORDER BY p.created_at, p.poll_id`);

const find = sql('polls.find', `${POLL} WHERE p.sid = $1 AND p.poll_id = $2`);

/** Their votes are deleted with them. */
const deleteOf = sql.planned('polls.deleteOf', 'DELETE FROM polls WHERE sid = ANY($1) RETURNING 1');

const pseudonymize = sql.planned(
  'polls.pseudonymize',
  `UPDATE polls q SET created_by = p.alias, creator = '' FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias)
    WHERE q.sid = p.sid AND q.created_by = p.uid`,
);

@Injectable()
export class PollsRepository {
  constructor(private readonly database: Database) {}

  async changedSince(sid: string, after: number): Promise<Poll[]> {
    return (await this.database.run(changedSince, sid, after)).map(toPoll);
  }

  async find(tx: Transaction, sid: string, pollId: string): Promise<Poll | undefined> {
    const row = await tx.first(find, sid, pollId);
    return row && toPoll(row);
  }

  count(tx: Transaction, sid: string): Promise<number> {
    return tx.manager.countBy(PollEntity, { sid });
  }

  async add(tx: Transaction, sid: string, version: number, poll: Poll): Promise<void> {
    await tx.manager.insert(PollEntity, {
      pollId: poll.pollId,
      sid,
      version,
      question: poll.question,
      options: poll.options.map(({ text }) => text),
      hideResult: poll.hideResult,
      correctOption: poll.correctOption,
      createdBy: poll.createdBy.uid,
      creator: poll.createdBy.name,
      createdAt: new Date(poll.createdAt),
    });
  }

  async recordVersion(tx: Transaction, pollId: string, version: number): Promise<void> {
    await tx.manager.update(PollEntity, { pollId }, { version });
  }

  async close(tx: Transaction, pollId: string, version: number, closedAt: Date): Promise<void> {
    await tx.manager.update(PollEntity, { pollId }, { version, closedAt });
  }

  /** Deletes the polls of these classes with their votes. @returns how many polls */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(deleteOf, sids)).length;
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }
}

export type Vote = z.infer<typeof pollReport>['votes'][number];

const findOwn = sql(
  'poll-votes.findOwn',
  `SELECT v.poll_id AS "pollId", v.option FROM poll_votes v JOIN polls p USING (poll_id) WHERE p.sid = $1 AND v.uid = $2`,
);

const add = sql(
  'poll-votes.add',
  `INSERT INTO poll_votes (poll_id, uid, name, option, voted_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const pseudonymizeVoters = sql.planned(
  'poll-votes.pseudonymize',
  `UPDATE poll_votes v SET uid = p.alias, name = '' FROM polls q JOIN unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias) USING (sid)
    WHERE v.poll_id = q.poll_id AND v.uid = p.uid`,
);

@Injectable()
export class PollVotesRepository {
  constructor(private readonly database: Database) {}

  /** A participant's votes in a room: the option by poll. */
  async findOwn(sid: string, uid: string): Promise<Record<string, number>> {
    const rows = await this.database.run(findOwn, sid, uid);
    return Object.fromEntries(rows.map(({ pollId, option }) => [pollId, option]));
  }

  /** Votes on a poll in the order of their uids, after `uid`; at most `limit`. */
  async page(pollId: string, uid: string, limit: number): Promise<Vote[]> {
    const rows = await this.database.manager.find(PollVoteEntity, {
      where: { pollId, uid: MoreThan(uid) },
      order: { uid: 'ASC' },
      take: limit,
    });
    return rows.map((vote) => ({ uid: vote.uid, name: vote.name, option: vote.option, votedAt: vote.votedAt.toISOString() }));
  }

  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymizeVoters, ...arraysOf(people, 'sid', 'uid', 'alias'));
  }

  /**
   * Stores the vote unless the participant has already voted. Returns the vote that counts: the first one, even if two arrive
   * at the same time.
   */
  async addOnce(tx: Transaction, vote: PollVoteEntity): Promise<{ option: number; isNew: boolean }> {
    const { pollId, uid, name, option, votedAt } = vote;
    const added = await tx.run(add, pollId, uid, name, option, votedAt);
    if (added.length === 1) return { option, isNew: true };
    const present = await tx.manager.findOneBy(PollVoteEntity, { pollId, uid });
    return { option: present?.option ?? option, isNew: false };
  }
}
