import { Injectable } from '@nestjs/common';
import { setRoomContext, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ClassFacts } from './class-facts.js';

interface Context {
  topic: string | null;
  notes: string | null;
}

/** Topic and notes of a class, as its backend tells them. */
@Injectable()
export class RoomContexts {
  constructor(
    private readonly database: Database,
    private readonly facts: ClassFacts,
    private readonly clock: Clock,
  ) {}

  /** What is left out stays, null takes it away. @throws AppError ROOM_NOT_FOUND */
  @Handles(setRoomContext)
  async set({ organizationId, roomId, context }: RpcInput<typeof setRoomContext>) {
    const { sid } = await this.facts.room(organizationId, roomId);
    const [row] = await this.database.query<Context & { updatedAt: Date }>(
      `INSERT INTO room_contexts AS known (sid, organization_id, topic, notes, updated_at) VALUES ($1, $2, $3, $5, $7)
       ON CONFLICT (sid) DO UPDATE SET topic = CASE WHEN $4 THEN $3 ELSE known.topic END, notes = CASE WHEN $6 THEN $5 ELSE known.notes END, updated_at = $7
       RETURNING topic, notes, updated_at AS "updatedAt"`,
      [sid, organizationId, context.topic ?? null, context.topic !== undefined, context.notes ?? null, context.notes !== undefined, this.clock.now()],
    );
    return { roomId, topic: row?.topic ?? null, notes: row?.notes ?? null, updatedAt: (row?.updatedAt ?? this.clock.now()).toISOString() };
  }

  async of(organizationId: string, sid: string): Promise<Context> {
    const [row] = await this.database.prepared<Context & Record<string, unknown>>(
      'room-context',
      'SELECT topic, notes FROM room_contexts WHERE sid = $1 AND organization_id = $2',
      [sid, organizationId],
    );
    return row ?? { topic: null, notes: null };
  }
}
