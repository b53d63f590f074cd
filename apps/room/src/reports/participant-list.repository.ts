import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** `joinedAt` and `leftAt` of the current connection, otherwise of the latest; null if there was none. */
const LISTED = `
  SELECT p.uid AS "uid!", p.name AS "name!", p.role AS "role!", p.photo_url AS "photoURL", p.removed_at AS "removedAt",
         c.joined_at AS "joinedAt", c.left_at AS "leftAt"
    FROM participants p
    JOIN rooms r USING (sid)
    LEFT JOIN LATERAL (SELECT joined_at, left_at FROM connections_by_month c
                        WHERE c.sid = p.sid AND c.month = connection_month(r.created_at) AND c.uid = p.uid AND is_counted
                        ORDER BY left_at DESC NULLS FIRST LIMIT 1) c ON true`;

const page = sql.planned(
  'participant-list.page',
  `${LISTED} WHERE p.sid = $1 AND p.uid > $2 AND ($3::boolean IS NULL OR $3 = (c.joined_at IS NOT NULL AND c.left_at IS NULL)) ORDER BY p.uid LIMIT $4`,
);

const find = sql('participant-list.find', `${LISTED} WHERE p.sid = $1 AND p.uid = $2`);

const studentNames = sql(
  'participant-list.studentNames',
  `SELECT DISTINCT p.name FROM participants p JOIN rooms r USING (sid)
    WHERE r.organization_id = $1 AND r.sid = $2 AND p.role = 'STUDENT' LIMIT 5000`,
);

export type ListedParticipant = RowOf<typeof find>;

/** The participants of a room as the organization's backend sees them. */
@Injectable()
export class ParticipantListRepository {
  constructor(private readonly database: Database) {}

  /** In the order of uids, after `after`. */
  page(
    sid: string,
    { after, isConnected, limit }: { after: string; isConnected: boolean | undefined; limit: number },
  ): Promise<ListedParticipant[]> {
    return this.database.run(page, sid, after, isConnected ?? null, limit);
  }

  async find(sid: string, uid: string): Promise<ListedParticipant | undefined> {
    return this.database.first(find, sid, uid);
  }

  /** The names of at most 5000 students, which is the largest class. */
  async studentNames(organizationId: string, sid: string): Promise<string[]> {
    return (await this.database.run(studentNames, organizationId, sid)).map(({ name }) => name);
  }
}
