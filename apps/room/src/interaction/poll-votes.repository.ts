import { Injectable } from '@nestjs/common';
import type { pollReport } from '@classroom/contracts';
import { arraysOf, Database, type Transaction } from '@classroom/persistence';
import { MoreThan } from 'typeorm';
import type { z } from 'zod';
import type { Pseudonym } from '../participants/participants.repository.js';
import { PollVoteEntity } from '../schema/poll-vote.entity.js';
import { sql } from '../schema/sql.js';

type Vote = z.infer<typeof pollReport>['votes'][number];

const findOwn = sql(
  'poll-votes.findOwn',
  `SELECT v.poll_id AS "pollId", v.option FROM poll_votes v JOIN polls p USING (poll_id) WHERE p.sid = $1 AND v.uid = $2`,
);

const add = sql(
  'poll-votes.add',
  `INSERT INTO poll_votes (poll_id, uid, name, option, voted_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const pseudonymize = sql.planned(
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
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
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
