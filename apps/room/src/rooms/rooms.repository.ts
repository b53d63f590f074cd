import { Injectable } from '@nestjs/common';
import type { Participant } from '@classroom/contracts';
import { Database, type Transaction } from '@classroom/persistence';
import { ROOM_COLUMNS, type ClassFacts, type RoomRow } from './room.row.js';

export interface NewRoom {
  sid: string;
  organizationId: string;
  roomId: string;
  title: string;
  description: string | null;
  metadata: unknown;
  customization: unknown;
  maxParticipants: number;
  emptyTimeout: number;
  autoRecord: boolean;
  createdAt: Date;
  dueAt: Date;
  idempotencyKey: string | null;
  idempotencyHash: string | null;
}

/** Rooms that the public knows: a creation under way or given up is none. */
const EXISTS = `state NOT IN ('creating', 'abandoned')`;

@Injectable()
export class RoomsRepository {
  constructor(private readonly database: Database) {}

  /** The hot read behind status and join: one prepared statement by unique key. */
  async find(organizationId: string, roomId: string): Promise<RoomRow | undefined> {
    const [room] = await this.database.prepared<RoomRow>(
      'room-by-id',
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE organization_id = $1 AND room_id = $2 AND ${EXISTS}`,
      [organizationId, roomId],
    );
    return room;
  }

  /** @returns the caller's metadata and the names of the class's first teachers */
  async classFacts(sid: string): Promise<ClassFacts> {
    const [facts] = await this.database.prepared<ClassFacts>(
      'room-class-facts',
      `SELECT metadata, ARRAY(SELECT name FROM participants p WHERE p.sid = rooms.sid AND role = 'TEACHER' AND removed_at IS NULL ORDER BY uid LIMIT 10) AS teachers
         FROM rooms WHERE sid = $1`,
      [sid],
    );
    return facts ?? { metadata: null, teachers: [] };
  }

  /** As many as a message carries: those of the largest class. */
  async studentNames(organizationId: string, sid: string): Promise<string[]> {
    const rows = await this.database.prepared<{ name: string }>(
      'room-student-names',
      `SELECT DISTINCT p.name FROM participants p JOIN rooms r USING (sid)
        WHERE r.organization_id = $1 AND r.sid = $2 AND p.role = 'STUDENT' LIMIT 5000`,
      [organizationId, sid],
    );
    return rows.map(({ name }) => name);
  }

  async findBySid(sid: string): Promise<RoomRow | undefined> {
    const [room] = await this.database.prepared<RoomRow>(
      'room-by-sid',
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE sid = $1 AND ${EXISTS}`,
      [sid],
    );
    return room;
  }

  async lock(tx: Transaction, organizationId: string, roomId: string): Promise<RoomRow | undefined> {
    const [room] = await tx.query<RoomRow>(
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE organization_id = $1 AND room_id = $2 AND ${EXISTS} FOR UPDATE`,
      [organizationId, roomId],
    );
    return room;
  }

  async lockBySid(tx: Transaction, sid: string): Promise<RoomRow | undefined> {
    const [room] = await tx.query<RoomRow>(
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE sid = $1 AND state <> 'abandoned' FOR UPDATE`,
      [sid],
    );
    return room;
  }

  /**
   * The room and who made it, in one statement. False where the roomId or the key was used before: the unique indexes
   * decide a race.
   */
  async reserve(room: NewRoom, participant: Participant): Promise<boolean> {
    const rows = await this.database.prepared(
      'reserve-room',
      `WITH room AS (INSERT INTO rooms (sid, organization_id, room_id, title, description, metadata, customization, max_participants,
                          empty_timeout, auto_record, created_at, due_at, idempotency_key, idempotency_hash, state, media)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'creating', 'open')
       ON CONFLICT DO NOTHING RETURNING sid),
            person AS (
              INSERT INTO participants (sid, uid, name, role, photo_url) SELECT sid, $15, $16, $17, $18 FROM room)
       SELECT sid FROM room`,
      [
        room.sid,
        room.organizationId,
        room.roomId,
        room.title,
        room.description,
        room.metadata === undefined ? null : JSON.stringify(room.metadata),
        JSON.stringify(room.customization),
        room.maxParticipants,
        room.emptyTimeout,
        room.autoRecord,
        room.createdAt,
        room.dueAt,
        room.idempotencyKey,
        room.idempotencyHash,
        participant.uid,
        participant.name,
        participant.role,
        participant.photoURL ?? null,
      ],
    );
    return rows.length === 1;
  }

  async findByIdempotencyKey(organizationId: string, key: string): Promise<RoomRow | undefined> {
    const [room] = await this.database.query<RoomRow>(
      `SELECT ${ROOM_COLUMNS} FROM rooms WHERE organization_id = $1 AND idempotency_key = $2 AND state <> 'abandoned'`,
      [organizationId, key],
    );
    return room;
  }

  /** The room as LiveKit has it now; nothing where another process got there first. */
  async markCreated(tx: Transaction, sid: string): Promise<RoomRow | undefined> {
    const [room] = await tx.query<RoomRow>(
      `UPDATE rooms SET state = 'created' WHERE sid = $1 AND state = 'creating' RETURNING ${ROOM_COLUMNS}`,
      [sid],
    );
    return room;
  }

  /** LiveKit did not take it: the roomId is free again, and whatever LiveKit may have after all is deleted there. */
  async abandon(sid: string): Promise<void> {
    await this.database.query(
      `UPDATE rooms SET state = 'abandoned', media = 'closing', due_at = NULL WHERE sid = $1 AND state = 'creating'`,
      [sid],
    );
  }

  /** A token was made that lives until `expiresAt`: LiveKit shall have the room by then, parked or not. */
  async expectJoin(tx: Transaction, sid: string, expiresAt: Date): Promise<void> {
    await tx.query(
      `UPDATE rooms SET tokens_expire_at = greatest(tokens_expire_at, $2::timestamptz), media = 'open'
        WHERE sid = $1 AND (tokens_expire_at IS NULL OR tokens_expire_at < $2 OR media <> 'open')`,
      [sid, expiresAt],
    );
  }

  async markMediaClosed(sid: string): Promise<void> {
    await this.database.query(`UPDATE rooms SET media = 'closed' WHERE sid = $1 AND media = 'closing'`, [sid]);
  }
}
