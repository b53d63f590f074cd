import { Injectable } from '@nestjs/common';
import { AppError, invalidField, listParticipants, roomRpc, uid as uidSchema, type Role, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { RoomsRepository } from '../rooms/rooms.repository.js';

interface Row {
  uid: string;
  name: string;
  role: Role;
  photoURL: string | null;
  removedAt: Date | null;
  joinedAt: Date | null;
  leftAt: Date | null;
}

@Injectable()
export class ListParticipants {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
  ) {}

  /** By uid, fewer than `limit` where one message cannot hold them. @throws AppError ROOM_NOT_FOUND, VALIDATION_FAILED where the cursor is none of ours */
  @Handles(listParticipants)
  async execute(input: RpcInput<typeof listParticipants>): Promise<RpcOutput<typeof listParticipants>> {
    const { organizationId, roomId, isConnected, cursor, limit } = input;
    const after = cursor === undefined ? '' : decode(cursor);
    const room = await this.rooms.find(organizationId, roomId);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const rows = await this.database.query<Row & Record<string, unknown>>(
      `SELECT p.uid, p.name, p.role, p.photo_url AS "photoURL", p.removed_at AS "removedAt", c.joined_at AS "joinedAt", c.left_at AS "leftAt"
         FROM participants p
         LEFT JOIN LATERAL (SELECT joined_at, left_at FROM connections c WHERE c.sid = p.sid AND c.uid = p.uid AND is_counted
                             ORDER BY left_at DESC NULLS FIRST LIMIT 1) c ON true
        WHERE p.sid = $1 AND p.uid > $2 AND ($3::boolean IS NULL OR $3 = (c.joined_at IS NOT NULL AND c.left_at IS NULL))
        ORDER BY p.uid LIMIT $4`,
      [room.sid, after, isConnected ?? null, limit + 1],
    );
    const participants = fitMessage(rows.slice(0, limit).map(toParticipant));
    const last = participants.at(-1);
    return { participants, nextCursor: rows.length > participants.length && last ? encode(last.uid) : null };
  }

  @Handles(roomRpc.studentNames)
  async studentNames({ organizationId, sid }: RpcInput<typeof roomRpc.studentNames>) {
    const all = await this.rooms.studentNames(organizationId, sid);
    const names = fitMessage(all);
    return { names, isComplete: names.length === all.length };
  }
}

const toParticipant = ({ removedAt, joinedAt, leftAt, uid, name, role, photoURL }: Row) => ({
  uid,
  name,
  role,
  photoURL,
  isConnected: joinedAt !== null && leftAt === null,
  joinedAt: joinedAt?.toISOString() ?? null,
  leftAt: leftAt?.toISOString() ?? null,
  removedAt: removedAt?.toISOString() ?? null,
});

const encode = (uid: string) => Buffer.from(uid).toString('base64url');

function decode(cursor: string): string {
  const uid = uidSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!uid.success || encode(uid.data) !== cursor) throw invalidField('cursor', 'must be one that a page before gave');
  return uid.data;
}
