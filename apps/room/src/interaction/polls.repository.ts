import { Injectable } from '@nestjs/common';
import type { Poll } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, type Transaction } from '@classroom/persistence';
import type { Pseudonym } from '../participants/participants.repository.js';
import { PollEntity } from '../schema/poll.entity.js';
import { sql } from '../schema/sql.js';
import { toPoll } from './to-poll.js';

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
