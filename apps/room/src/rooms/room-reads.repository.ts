import { Injectable } from '@nestjs/common';
import { MAX_DESCRIBED_TEACHERS, type Participant } from '@classroom/contracts';
import type { Holder } from '@classroom/messaging';
import { Database, type RowOf } from '@classroom/persistence';
import { In, LessThan, Not } from 'typeorm';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';
import { ROOM_COLUMNS, type CreatingRoom, type Room } from './room.js';

/** JSON, null if there is nothing in it. */
const textOf = (value: object | undefined) => (value && Object.keys(value).length > 0 ? JSON.stringify(value) : null);

/** What a join states about its participant, as parameters of a statement. */
export const joiningPerson = ({ uid, name, role, photoURL: photoUrl = null, permissions, ui, ai = true }: Participant) => ({
  uid,
  name,
  role,
  photoUrl,
  ai,
  permissions: textOf(permissions),
  ui: textOf(ui),
});

export type JoiningPerson = ReturnType<typeof joiningPerson>;

/** SQL expression: the participant `uid` of the class `sid`, as `joiningPerson` states one; null if there is none. */
export const storedPerson = (sid: string, uid: string) =>
  `(SELECT json_build_object('uid', p.uid, 'name', p.name, 'role', p.role, 'photoUrl', p.photo_url, 'ai', p.may_use_ai,
                             'permissions', p.permissions::text, 'ui', p.ui::text) FROM participants p WHERE p.sid = ${sid} AND p.uid = ${uid})`;

/** Rooms that the API shows: not those whose creation is in progress or was abandoned. */
const EXISTS = `state NOT IN ('creating', 'abandoned')`;

const find = sql('room-reads.find', `SELECT ${ROOM_COLUMNS} FROM rooms WHERE organization_id = $1 AND room_id = $2 AND ${EXISTS}`);

const findForJoin = sql(
  'room-reads.findForJoin',
  `SELECT ${ROOM_COLUMNS}, ${storedPerson('rooms.sid', '$3')} AS stored FROM rooms WHERE organization_id = $1 AND room_id = $2 AND ${EXISTS}`,
);

const findBySid = sql('room-reads.findBySid', `SELECT ${ROOM_COLUMNS} FROM rooms WHERE sid = $1 AND ${EXISTS}`);

const classFacts = sql(
  'room-reads.classFacts',
  `SELECT metadata,
          ARRAY(SELECT name FROM participants p
                 WHERE p.sid = rooms.sid AND role = 'TEACHER' AND removed_at IS NULL ORDER BY uid LIMIT ${MAX_DESCRIBED_TEACHERS}) AS "teachers!",
          NOT EXISTS (SELECT FROM participants p WHERE p.sid = rooms.sid AND p.uid = $2 AND NOT p.may_use_ai) AS "mayUseAi!"
     FROM rooms WHERE sid = $1`,
);

/** A room as a join reads it. */
export type JoiningRoom = Room & {
  /** Who joins, as the row has them; null: a new participant. */
  stored: JoiningPerson | null;
};

/** What only the tutor needs: kept out of the columns that every request reads. */
export type ClassFacts = RowOf<typeof classFacts>;

const ENDED = 'coalesce(finished_at, ended_at)';

const findFinished = sql.planned(
  'room-reads.findFinished',
  `SELECT sid AS key, ${ENDED} AS "since!" FROM rooms
    WHERE organization_id = $1 AND state = 'finished' AND (${ENDED}, sid) > ($2, $3) AND ${ENDED} <= $4 ORDER BY ${ENDED}, sid LIMIT $5`,
);

const listOpen = sql.planned(
  'room-reads.listOpen',
  `SELECT room_id AS "roomId" FROM rooms WHERE organization_id = $1 AND state NOT IN ('finished', 'abandoned') ORDER BY sid LIMIT $2`,
);

/** Reads rooms without a lock. */
@Injectable()
export class RoomReadsRepository {
  constructor(private readonly database: Database) {}

  /** The most frequent read, behind status: one prepared statement by unique key. */
  async find(organizationId: string, roomId: string): Promise<Room | undefined> {
    return this.database.first(find, organizationId, roomId);
  }

  async findForJoin(organizationId: string, roomId: string, uid: string): Promise<JoiningRoom | undefined> {
    return (await this.database.first(findForJoin, organizationId, roomId, uid)) as JoiningRoom | undefined;
  }

  async findBySid(sid: string): Promise<Room | undefined> {
    return this.database.first(findBySid, sid);
  }

  /** With the columns that few requests need. */
  async findWhole(organizationId: string, roomId: string): Promise<RoomEntity | null> {
    return this.database.manager.findOneBy(RoomEntity, { organizationId, roomId, state: Not(In(['creating', 'abandoned'])) });
  }

  async findByIdempotencyKey(organizationId: string, idempotencyKey: string): Promise<Room | null> {
    return this.database.manager.findOneBy(RoomEntity, { organizationId, idempotencyKey, state: Not('abandoned') });
  }

  /** Finished classes after a position and up to a time, in the order of their ends. */
  findFinished(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.database.run(findFinished, organizationId, after.since, after.key, before, limit);
  }

  /** @returns the caller's metadata, the names of the class's first teachers, and whether the participant `uid` may use AI */
  async classFacts(sid: string, uid?: string): Promise<ClassFacts> {
    const facts = await this.database.first(classFacts, sid, uid ?? '');
    return facts ?? { metadata: null, teachers: [], mayUseAi: true };
  }

  /** The ids of classes that are not over. */
  async listOpen(organizationId: string, limit: number): Promise<string[]> {
    return (await this.database.run(listOpen, organizationId, limit)).map(({ roomId }) => roomId);
  }

  /** Rooms whose creation began before `before` and was not finished. */
  interruptedCreations(before: Date, take: number): Promise<CreatingRoom[]> {
    return this.database.manager.find(RoomEntity, {
      where: { state: 'creating', createdAt: LessThan(before) },
      order: { createdAt: 'ASC', sid: 'ASC' },
      take,
    });
  }
}
