import { Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import type { RoomRow } from '../rooms/room.row.js';

@Injectable()
export class Capacity {
  constructor(private readonly database: Database) {}

  /**
   * A uid that is there already takes its own place. LiveKit checks again at the door.
   * @throws AppError ROOM_FULL; inside a transaction give it, so that no second connection is waited for
   */
  async check(room: RoomRow, uid: string, queries: Pick<Transaction, 'query'> = this.database): Promise<void> {
    if (room.participantCount < room.maxParticipants) return;
    const there = await queries.query(
      'SELECT 1 FROM connections WHERE sid = $1 AND uid = $2 AND left_at IS NULL AND is_counted LIMIT 1',
      [room.sid, uid],
    );
    if (there.length === 0) throw new AppError('ROOM_FULL');
  }
}
