import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

const set = sql(
  'room-contexts.set',
  `INSERT INTO room_contexts AS known (sid, organization_id, topic, notes, updated_at) VALUES (:sid, :organizationId, :topic, :notes, :at)
   ON CONFLICT (sid) DO UPDATE
      SET topic = CASE WHEN :isTopicGiven THEN :topic ELSE known.topic END,
          notes = CASE WHEN :areNotesGiven THEN :notes ELSE known.notes END, updated_at = :at
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
    const given = { isTopicGiven: topic !== undefined, areNotesGiven: notes !== undefined };
    return this.database.first(set, { sid, organizationId, topic: topic ?? null, notes: notes ?? null, ...given, at });
  }

  async find(organizationId: string, sid: string): Promise<RoomContext> {
    const row = await this.database.first(find, sid, organizationId);
    return row ?? { topic: null, notes: null };
  }
}
