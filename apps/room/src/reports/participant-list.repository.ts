import { Injectable } from '@nestjs/common';
import type { Role } from '@classroom/contracts';
import { Database } from '@classroom/persistence';

export interface ListedParticipant {
  uid: string;
  name: string;
  role: Role;
  photoURL: string | null;
  removedAt: Date | null;
  /** Of the present connection, else of the latest; null where there never was one. */
  joinedAt: Date | null;
  leftAt: Date | null;
}

const LISTED = `SELECT p.uid, p.name, p.role, p.photo_url AS "photoURL", p.removed_at AS "removedAt", c.joined_at AS "joinedAt", c.left_at AS "leftAt"
  FROM participants p
  LEFT JOIN LATERAL (SELECT joined_at, left_at FROM connections c WHERE c.sid = p.sid AND c.uid = p.uid AND is_counted
                      ORDER BY left_at DESC NULLS FIRST LIMIT 1) c ON true`;

/** The people of a room as a backend sees them. */
@Injectable()
export class ParticipantListRepository {
  constructor(private readonly database: Database) {}

  /** By uid. */
  page(sid: string, { after, isConnected, limit }: { after: string; isConnected: boolean | undefined; limit: number }): Promise<ListedParticipant[]> {
    return this.database.query(
      `${LISTED} WHERE p.sid = $1 AND p.uid > $2 AND ($3::boolean IS NULL OR $3 = (c.joined_at IS NOT NULL AND c.left_at IS NULL)) ORDER BY p.uid LIMIT $4`,
      [sid, after, isConnected ?? null, limit],
    );
  }

  async find(sid: string, uid: string): Promise<ListedParticipant | undefined> {
    const [participant] = await this.database.query<ListedParticipant>(`${LISTED} WHERE p.sid = $1 AND p.uid = $2`, [sid, uid]);
    return participant;
  }
}

export const toParticipant = ({ removedAt, joinedAt, leftAt, uid, name, role, photoURL }: ListedParticipant) => ({
  uid,
  name,
  role,
  photoURL,
  isConnected: joinedAt !== null && leftAt === null,
  joinedAt: joinedAt?.toISOString() ?? null,
  leftAt: leftAt?.toISOString() ?? null,
  removedAt: removedAt?.toISOString() ?? null,
});
