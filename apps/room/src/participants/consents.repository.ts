import { Injectable } from '@nestjs/common';
import { arraysOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import type { ConsentEntity } from '../schema/consent.entity.js';
import { sql } from '../schema/sql.js';

const insert = sql(
  'consents.insert',
  `INSERT INTO consents (organization_id, sid, uid, purpose, version, text_hash, granted, answered_at)
   VALUES (:organizationId, :sid, :uid, :purpose, :version, :textHash, :granted, :answeredAt)`,
);

const page = sql(
  'consents.page',
  `SELECT id, uid, purpose, version, text_hash AS "textHash", granted, answered_at AS "answeredAt"
     FROM consents WHERE organization_id = $1 AND sid = $2 AND id > $3 ORDER BY id LIMIT $4`,
);

const countBy = sql.planned(
  'consents.countBy',
  `SELECT count(*)::int AS "count!" FROM consents c JOIN unnest($1::text[], $2::text[]) AS p(sid, uid) ON c.sid = p.sid AND c.uid = p.uid`,
);

/** The record of answers. It can only grow: a foreign key follows the uid of a participant that a pseudonym replaces. */
@Injectable()
export class ConsentsRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, consent: Omit<ConsentEntity, 'id'>): Promise<void> {
    await tx.run(insert, consent);
  }

  /** In the order of the answers, after the id `after`. */
  page(organizationId: string, sid: string, after: number, limit: number): Promise<RowOf<typeof page>[]> {
    return this.database.run(page, organizationId, sid, after, limit);
  }

  async countBy(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.first(countBy, ...arraysOf(people, 'sid', 'uid')))?.count ?? 0;
  }
}
