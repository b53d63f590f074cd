import { Injectable } from '@nestjs/common';
import type { Poll, pollReport } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import type { z } from 'zod';

type Vote = z.infer<typeof pollReport>['votes'][number];

interface Row {
  pollId: string;
  question: string;
  options: string[];
  counts: Record<string, number>;
  createdBy: string;
  creator: string;
  createdAt: Date;
  closedAt: Date | null;
}

/** Votes are counted afresh from the rows, never up. */
const POLL = `
  SELECT p.poll_id AS "pollId", p.question, p.options, p.created_by AS "createdBy", p.creator, p.created_at AS "createdAt",
         p.closed_at AS "closedAt", coalesce((
           SELECT json_object_agg(c.option, c.votes) FROM (
             SELECT option, count(*)::int AS votes FROM poll_votes v WHERE v.poll_id = p.poll_id GROUP BY option) c
         ), '{}') AS counts
    FROM polls p`;

@Injectable()
export class PollsRepository {
  constructor(private readonly database: Database) {}

  async changed(sid: string, after: number): Promise<Poll[]> {
    const rows = await this.database.query<Row & Record<string, unknown>>(
      `${POLL} WHERE p.sid = $1 AND p.version > $2 ORDER BY p.created_at, p.poll_id`,
      [sid, after],
    );
    return rows.map(toPoll);
  }

  async ownVotes(sid: string, uid: string): Promise<Record<string, number>> {
    const rows = await this.database.query<{ pollId: string; option: number }>(
      `SELECT v.poll_id AS "pollId", v.option FROM poll_votes v JOIN polls p USING (poll_id) WHERE p.sid = $1 AND v.uid = $2`,
      [sid, uid],
    );
    return Object.fromEntries(rows.map(({ pollId, option }) => [pollId, option]));
  }

  /** Votes on a poll in the order of their uids, after `uid`; at most `limit`. */
  async votes(pollId: string, uid: string, limit: number): Promise<Vote[]> {
    const rows = await this.database.query<{ uid: string; name: string; option: number; at: Date }>(
      'SELECT uid, name, option, voted_at AS at FROM poll_votes WHERE poll_id = $1 AND uid > $2 ORDER BY uid LIMIT $3',
      [pollId, uid, limit],
    );
    return rows.map(({ at, ...vote }) => ({ ...vote, votedAt: at.toISOString() }));
  }

  async find(tx: Transaction, sid: string, pollId: string): Promise<Poll | undefined> {
    const [row] = await tx.query<Row & Record<string, unknown>>(`${POLL} WHERE p.sid = $1 AND p.poll_id = $2`, [sid, pollId]);
    return row && toPoll(row);
  }

  async count(tx: Transaction, sid: string): Promise<number> {
    const [row] = await tx.query<{ polls: number }>('SELECT count(*)::int AS polls FROM polls WHERE sid = $1', [sid]);
    return row?.polls ?? 0;
  }

  async add(tx: Transaction, sid: string, version: number, poll: Poll): Promise<void> {
    await tx.query(
      `INSERT INTO polls (poll_id, sid, version, question, options, created_by, creator, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        poll.pollId,
        sid,
        version,
        poll.question,
        poll.options.map(({ text }) => text),
        poll.createdBy.uid,
        poll.createdBy.name,
        poll.createdAt,
      ],
    );
  }

  /** The participant's vote as it stands now: the first one, whichever of two at once that was. */
  async vote(tx: Transaction, pollId: string, vote: { uid: string; name: string; option: number; at: Date }): Promise<{ option: number; isNew: boolean }> {
    const added = await tx.query(
      `INSERT INTO poll_votes (poll_id, uid, name, option, voted_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [pollId, vote.uid, vote.name, vote.option, vote.at],
    );
    if (added.length === 1) return { option: vote.option, isNew: true };
    const [present] = await tx.query<{ option: number }>('SELECT option FROM poll_votes WHERE poll_id = $1 AND uid = $2', [
      pollId,
      vote.uid,
    ]);
    return { option: present?.option ?? vote.option, isNew: false };
  }

  async touch(tx: Transaction, pollId: string, version: number): Promise<void> {
    await tx.query('UPDATE polls SET version = $2 WHERE poll_id = $1', [pollId, version]);
  }

  async close(tx: Transaction, pollId: string, version: number, at: Date): Promise<void> {
    await tx.query('UPDATE polls SET version = $2, closed_at = $3 WHERE poll_id = $1', [pollId, version, at]);
  }
}

function toPoll({ pollId, question, options, counts, createdBy, creator, createdAt, closedAt }: Row): Poll {
  const answers = options.map((text, index) => ({ text, votes: counts[String(index)] ?? 0 }));
  return {
    pollId,
    question,
    options: answers,
    status: closedAt ? 'closed' : 'open',
    totalVotes: answers.reduce((sum, { votes }) => sum + votes, 0),
    createdBy: { uid: createdBy, name: creator },
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  };
}
