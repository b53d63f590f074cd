import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const set = sql(
  'room-contexts.set',
  `INSERT INTO room_contexts AS known (sid, organization_id, topic, notes, updated_at) VALUES ($1, $2, $3, $5, $7)
   ON CONFLICT (sid) DO UPDATE SET topic = CASE WHEN $4 THEN $3 ELSE known.topic END, notes = CASE WHEN $6 THEN $5 ELSE known.notes END, updated_at = $7
   RETURNING topic, notes, updated_at AS "updatedAt"`,
);

const find = sql('room-contexts.find', 'SELECT topic, notes FROM room_contexts WHERE sid = $1 AND organization_id = $2');

export type RoomContext = RowOf<typeof find>;

interface Changes {
  topic?: string | null | undefined;
  notes?: string | null | undefined;
}

@Injectable()
export class RoomContextsRepository {
  constructor(private readonly database: Database) {}

  /** An omitted field stays; null clears it. */
  async set(organizationId: string, sid: string, { topic, notes }: Changes, at: Date): Promise<RowOf<typeof set> | undefined> {
    return this.database.first(set, sid, organizationId, topic ?? null, topic !== undefined, notes ?? null, notes !== undefined, at);
  }

  async find(organizationId: string, sid: string): Promise<RoomContext> {
    const row = await this.database.first(find, sid, organizationId);
    return row ?? { topic: null, notes: null };
  }
}
