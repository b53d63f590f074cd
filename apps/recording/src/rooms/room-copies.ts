import { Injectable } from '@nestjs/common';
import type { EventData, roomCreated } from '@classroom/contracts';
import { Database } from '@classroom/persistence';

/** What is kept of rooms: whose they are, whether they record by themselves, and when they ended. */
@Injectable()
export class RoomCopies {
  constructor(private readonly database: Database) {}

  async created({ sid, organizationId, roomId, autoRecord }: EventData<typeof roomCreated>): Promise<void> {
    // Most rooms don't record by themselves: of these nothing needs to be known.
    if (!autoRecord) return;
    await this.database.query(
      `INSERT INTO rooms (sid, organization_id, room_id, auto_record) VALUES ($1, $2, $3, true)
       ON CONFLICT (sid) DO UPDATE SET organization_id = $2, room_id = $3, auto_record = true,
              auto_wanted_at = CASE WHEN rooms.ended_at IS NULL AND rooms.auto_recorded_at IS NULL THEN rooms.publishing_at END`,
      [sid, organizationId, roomId],
    );
  }

  /** When the class ended, as far as it was told; nothing while it goes on. */
  async endedAt(sid: string): Promise<Date | null> {
    const [room] = await this.database.query<{ endedAt: Date | null }>('SELECT ended_at AS "endedAt" FROM rooms WHERE sid = $1', [sid]);
    return room?.endedAt ?? null;
  }
}
