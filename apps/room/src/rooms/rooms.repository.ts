import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Participant } from '@classroom/contracts';
import type { OutboxRow } from '@classroom/messaging';
import { arraysOf, Database, jsonOf, KnownMonths, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { LessThan, type FindOptionsWhere } from 'typeorm';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';
import { joiningPerson, type JoiningRoom } from './room-reads.repository.js';
import { ROOM_COLUMNS, type CreatingRoom, type Room } from './room.js';

/** The parts of a class's shared state, each with a column `<part>_version` of its room. */
export const CLASS_PARTS = ['hands', 'speakers', 'chat', 'polls', 'reactions', 'removals', 'details', 'recording', 'waiting'] as const;
export type ClassPart = (typeof CLASS_PARTS)[number];

/**
 * SQL condition: the class contains something of the person. `room`: alias of a row of `rooms`; `uid`: a parameter. Participants who entered with a
 * LiveKit token of the school's own have connections only.
 */
export const classOfPerson = (room: string, uid: string) =>
  `(${room}.sid IN (SELECT sid FROM participants WHERE uid = ${uid} UNION ALL SELECT sid FROM roster_entries WHERE uid = ${uid})
    OR EXISTS (SELECT FROM connections_by_month c WHERE c.sid = ${room}.sid AND c.uid = ${uid} AND c.month = connection_month(${room}.created_at)))`;

/** What a creation writes. */
export type NewRoom = CreatingRoom &
  Pick<
    RoomEntity,
    'description' | 'metadata' | 'customization' | 'dueAt' | 'scheduleDueAt' | 'idempotencyKey' | 'idempotencyHash' | 'tokensExpireAt'
  >;

/** What the organization's backend, or an admin in class, can change. `metadata` undefined: it stays as it is. */
export type ChangedDetails = Pick<Room, 'title' | 'description' | 'customization' | 'settings' | 'budgetVersion' | 'doorsClosed'> & {
  metadata: RoomEntity['metadata'] | undefined;
};

export type EndReason = NonNullable<RoomEntity['endReason']>;

/** The version of the latest change of a connection, and what follows from a room's connections. */
export type RoomPresence = Pick<
  Room,
  'sid' | 'version' | 'participantCount' | 'hasTeacher' | 'lastLeftAt' | 'dueAt' | 'state' | 'startedAt'
> & {
  /** Null: unchanged. */
  scheduleDueAt: Date | null;
};

const lock = sql(
  'rooms.lock',
  `SELECT ${ROOM_COLUMNS} FROM rooms WHERE organization_id = $1 AND room_id = $2 AND state NOT IN ('creating', 'abandoned') FOR UPDATE`,
);

const lockBySid = sql('rooms.lockBySid', `SELECT ${ROOM_COLUMNS} FROM rooms WHERE sid = $1 AND state <> 'abandoned' FOR UPDATE`);

/** In the order of the sids, which all transactions share. */
const lockAllBySid = sql(
  'rooms.lockAllBySid',
  `SELECT ${ROOM_COLUMNS} FROM rooms WHERE sid = ANY($1::text[]) AND state <> 'abandoned' ORDER BY sid FOR UPDATE`,
);

const reserve = sql(
  'rooms.reserve',
  `WITH room AS (
          INSERT INTO rooms (sid, organization_id, room_id, title, description, metadata, customization, settings,
          created_at, due_at, schedule_due_at, idempotency_key, idempotency_hash, tokens_expire_at, state, media)
          VALUES (:sid, :organizationId, :roomId, :title, :description, :metadata, :customization, :settings,
                  :createdAt, :dueAt, :scheduleDueAt, :idempotencyKey, :idempotencyHash, :tokensExpireAt, 'creating', 'open')
          ON CONFLICT DO NOTHING RETURNING sid),
        person AS (
          INSERT INTO participants (sid, uid, name, role, photo_url, may_use_ai, permissions, ui)
          SELECT sid, :uid, :name, :role, :photoUrl, :ai, :permissions, :ui FROM room)
   SELECT sid FROM room`,
);

const addConnectionsMonth = sql('rooms.addConnectionsMonth', 'SELECT add_connections_month($1::text::date)');

/** By how many milliseconds the expiry of a room's tokens may be stored too early, so that a busy room's row is not written at every join. */
const EXPIRY_PRECISION_MS = 60_000;

/** The join with `expected` locks the room before the person, in the order of all transactions. */
const admit = sql(
  'rooms.admit',
  `WITH expected AS (
          UPDATE rooms SET tokens_expire_at = greatest(tokens_expire_at, :expiresAt::timestamptz), media = 'open'
           WHERE sid = :sid AND state = 'created' RETURNING sid)
   INSERT INTO participants (sid, uid, name, role, photo_url, may_use_ai, permissions, ui)
   SELECT sid, :uid, :name, :role, :photoUrl, :ai, :permissions::text::json, :ui::text::json FROM rooms LEFT JOIN expected USING (sid)
    WHERE sid = :sid AND state IN ('created', 'live')
   ON CONFLICT (sid, uid) DO UPDATE SET name = :name, role = :role, photo_url = :photoUrl, may_use_ai = :ai,
          permissions = :permissions::text::json, ui = :ui::text::json,
          role_changed_at = CASE WHEN participants.role = :role THEN participants.role_changed_at ELSE :at END
   RETURNING 1`,
);

const markCreated = sql(
  'rooms.markCreated',
  `WITH created AS (UPDATE rooms SET state = 'created' WHERE sid = $1 AND state = 'creating' RETURNING sid)
   INSERT INTO outbox (id, subject, body, trace, created_at) SELECT $2, $3, $4, $5, $6 FROM created RETURNING id`,
);

const expectJoin = sql(
  'rooms.expectJoin',
  `UPDATE rooms SET tokens_expire_at = greatest(tokens_expire_at, $2::timestamptz), media = 'open'
    WHERE sid = $1 AND (tokens_expire_at IS NULL OR tokens_expire_at < $2 OR media <> 'open')`,
);

const recordVersion = sql('rooms.recordVersion', 'UPDATE rooms SET version = $2 WHERE sid = $1');

const recordPresence = sql(
  'rooms.recordPresence',
  `UPDATE rooms r SET version = t.version, participant_count = t.participant_count, has_teacher = t.has_teacher, last_left_at = t.last_left_at,
          due_at = t.due_at, state = t.state, started_at = t.started_at,
          schedule_due_at = coalesce(t.schedule_due_at, r.schedule_due_at)
     FROM unnest(:sid::text[], :version::int8[], :participantCount::int4[], :hasTeacher::bool[], :lastLeftAt::timestamptz[], :dueAt::timestamptz[],
                 :state::text[], :startedAt::timestamptz[], :scheduleDueAt::timestamptz[])
          AS t(sid, version, participant_count, has_teacher, last_left_at, due_at, state, started_at, schedule_due_at)
    WHERE r.sid = t.sid`,
);

const recordVerified = sql(
  'rooms.recordVerified',
  `UPDATE rooms r SET verified_at = t.taken_at FROM unnest($1::text[], $2::timestamptz[]) AS t(sid, taken_at)
    WHERE r.sid = t.sid AND r.state = 'live' AND (r.verified_at IS NULL OR r.verified_at < t.taken_at) RETURNING r.sid`,
);

const bumpClassVersion = sql(
  'rooms.bumpClassVersion',
  `UPDATE rooms SET class_version = class_version + 1,
          ${CLASS_PARTS.map((part) => `${part}_version = CASE WHEN '${part}' = ANY($2::text[]) THEN class_version + 1 ELSE ${part}_version END`).join(', ')}
    WHERE sid = $1 RETURNING class_version AS version`,
);

const changeDetails = sql(
  'rooms.changeDetails',
  `UPDATE rooms SET title = :title, description = :description, customization = :customization, settings = :settings,
          metadata = CASE WHEN :isMetadataChanged THEN :metadata ELSE metadata END,
          schedule_due_at = coalesce(:scheduleDueAt, schedule_due_at), due_at = :dueAt,
          budget_version = :budgetVersion, doors_closed = :doorsClosed
    WHERE sid = :sid RETURNING metadata`,
);

const deriveRecording = sql(
  'rooms.deriveRecording',
  `UPDATE rooms SET is_recording = state <> 'finished' AND EXISTS (
     SELECT FROM room_recordings r WHERE r.sid = rooms.sid AND r.status IN ('STARTING', 'ACTIVE')) WHERE sid = $1 RETURNING is_recording AS "isRecording"`,
);

const finish = sql(
  'rooms.finish',
  `UPDATE rooms SET state = 'finished', media = CASE media WHEN 'closed' THEN 'closed' ELSE 'closing' END,
          ended_at = $2, finished_at = $4, end_reason = $3, participant_count = 0, has_teacher = false, is_recording = false,
          due_at = NULL, schedule_due_at = $5
    WHERE sid = $1`,
);

/** A class in which someone has opened the page, which may be before its start, may have connections that are not known yet. */
const listErasable = sql.planned(
  'rooms.listErasable',
  `SELECT sid, state IN ('finished', 'abandoned') AS "isOver!",
          state = 'created' AND (settings->>'startsAt')::timestamptz > $4
            AND NOT EXISTS (SELECT FROM participants p WHERE p.sid = rooms.sid AND ($2::text IS NULL OR p.uid = $2) AND p.session_opened_at IS NOT NULL)
            AS "isFuture!"
     FROM rooms
    WHERE organization_id = $1 AND ($3::text IS NULL OR room_id = $3)
      AND ($2::text IS NULL OR ${classOfPerson('rooms', '$2')})
    ORDER BY sid FOR UPDATE`,
);

const forgetDetails = sql.planned(
  'rooms.forgetDetails',
  `UPDATE rooms SET title = 'Erased', description = NULL, metadata = NULL WHERE sid = ANY($1) AND title <> 'Erased' RETURNING 1`,
);

/** The json columns of a room, as parameters. */
const jsonColumns = (room: NewRoom | ChangedDetails) => jsonOf(room, 'metadata', 'customization', 'settings');

/** Whether LiveKit is known to keep the room for as long as a token that expires at `expiresAt`. */
function isExpected({ state, media, tokensExpireAt }: Room, expiresAt: Date): boolean {
  if (state !== 'created') return true;
  return media === 'open' && tokensExpireAt !== null && tokensExpireAt.getTime() >= expiresAt.getTime() - EXPIRY_PRECISION_MS;
}

/** Locks rooms; the only place where rooms are written. */
@Injectable()
export class RoomsRepository {
  private readonly months = new KnownMonths((month) => this.database.run(addConnectionsMonth, month));

  constructor(private readonly database: Database) {}

  /** Adds the partitions for the connections of the rooms that are created in this month and in the next two. */
  addPartitionsAhead(now: Date): Promise<void> {
    return this.months.ensureAhead(now);
  }

  async lock(tx: Transaction, organizationId: string, roomId: string): Promise<Room | undefined> {
    return tx.first(lock, organizationId, roomId);
  }

  async lockBySid(tx: Transaction, sid: string): Promise<Room | undefined> {
    return tx.first(lockBySid, sid);
  }

  async lockAllBySid(tx: Transaction, sids: readonly string[]): Promise<Room[]> {
    return tx.run(lockAllBySid, sids);
  }

  /**
   * Inserts the room and the participant who created it, in one statement. False if the roomId or the Idempotency-Key was used before; the
   * unique indexes decide a race.
   */
  async reserve(room: NewRoom, participant: Participant, queries: Pick<Transaction, 'run'> = this.database): Promise<boolean> {
    await this.months.ensure([room.createdAt]);
    const rows = await queries.run(reserve, { ...room, ...jsonColumns(room), ...joiningPerson(participant) });
    return rows.length === 1;
  }

  /**
   * Writes in one statement the participant for whom a token that expires at `expiresAt` was made, and that LiveKit should have
   * the room, released or not, while the token is valid. Nothing is written if nothing changes.
   * @returns undefined if the room has ended
   */
  async admit(
    room: JoiningRoom,
    participant: Participant,
    { expiresAt, at }: { expiresAt: Date; at: Date },
  ): Promise<{ isRoleChanged: boolean; arePermissionsChanged: boolean } | undefined> {
    const { sid, stored } = room;
    const person = joiningPerson(participant);
    const isWritten = isDeepStrictEqual(stored, person) && isExpected(room, expiresAt);
    if (!isWritten && (await this.database.run(admit, { sid, ...person, expiresAt, at })).length === 0) return undefined;
    const { role, permissions, ui } = stored ?? person;
    const isSame = permissions === person.permissions && ui === person.ui;
    return { isRoleChanged: role !== person.role, arePermissionsChanged: !isSame };
  }

  /** Marks a room that LiveKit now has as created, and adds the fact about it. False if another process was faster. */
  async markCreated(sid: string, { id, subject, body, trace }: OutboxRow, now: Date): Promise<boolean> {
    return (await this.database.run(markCreated, sid, id, subject, body, trace, now)).length === 1;
  }

  /** LiveKit refused the room: its roomId is free again, and LiveKit's room is deleted if it exists nevertheless. */
  async abandon(sid: string): Promise<void> {
    await this.update({ sid, state: 'creating' }, { state: 'abandoned', media: 'closing', dueAt: null, scheduleDueAt: null });
  }

  async deleteAbandoned(before: Date): Promise<void> {
    await this.database.manager.delete(RoomEntity, { state: 'abandoned', media: 'closed', createdAt: LessThan(before) });
  }

  /** A token was made that is valid until `expiresAt`: LiveKit should have the room until then, released or not. */
  async expectJoin(tx: Transaction, sid: string, expiresAt: Date): Promise<void> {
    await tx.run(expectJoin, sid, expiresAt);
  }

  /** The version of the latest change of a connection. */
  async recordVersion(tx: Transaction, sid: string, version: number): Promise<void> {
    await tx.run(recordVersion, sid, version);
  }

  async recordPresence(tx: Transaction, rooms: readonly RoomPresence[]): Promise<void> {
    const columns = namedArraysOf(
      rooms,
      'sid',
      'version',
      'participantCount',
      'hasTeacher',
      'lastLeftAt',
      'dueAt',
      'state',
      'startedAt',
      'scheduleDueAt',
    );
    await tx.run(recordPresence, columns);
  }

  /** LiveKit's lists confirmed who is in the rooms. @returns the live rooms without a later recorded list */
  async recordVerified(tx: Transaction, lists: readonly { sid: string; takenAt: Date }[]): Promise<ReadonlySet<string>> {
    return new Set((await tx.run(recordVerified, ...arraysOf(lists, 'sid', 'takenAt'))).map(({ sid }) => sid));
  }

  /** Counts a change of `parts` of a class's shared state; `tx` must hold the room's lock. @returns the version of the change */
  async bumpClassVersion(tx: Transaction, sid: string, parts: readonly ClassPart[]): Promise<number> {
    const row = await tx.first(bumpClassVersion, sid, parts);
    return row?.version ?? 0;
  }

  /** `metadata` undefined, `scheduleDueAt` null: unchanged. @returns the metadata after the change */
  async changeDetails(
    tx: Transaction,
    sid: string,
    details: ChangedDetails,
    { scheduleDueAt, dueAt }: Pick<RoomEntity, 'scheduleDueAt' | 'dueAt'>,
  ): Promise<RoomEntity['metadata']> {
    const values = { ...details, ...jsonColumns(details), isMetadataChanged: details.metadata !== undefined };
    const row = await tx.first(changeDetails, { ...values, sid, scheduleDueAt, dueAt });
    return row?.metadata ?? null;
  }

  /** Computes from the known recordings whether the class is being recorded, and returns it. */
  async deriveRecording(tx: Transaction, sid: string): Promise<boolean> {
    return (await tx.first(deriveRecording, sid))?.isRecording ?? false;
  }

  async closeDoors(tx: Transaction, sid: string): Promise<void> {
    await tx.manager.update(RoomEntity, { sid }, { doorsClosed: true });
  }

  async postponeDueAt(tx: Transaction, sid: string, dueAt: Date): Promise<void> {
    await tx.manager.update(RoomEntity, { sid }, { dueAt });
  }

  /** What the schedule did, and when it next has something to do. */
  async recordScheduleStep(tx: Transaction, sid: string, step: Pick<RoomEntity, 'scheduleDueAt' | 'endNoticed'>): Promise<void> {
    await tx.manager.update(RoomEntity, { sid }, step);
  }

  /** The room's emptyTimeout counts from `emptySince`. */
  async recordEmptySince(tx: Transaction, sid: string, emptySince: Date, dueAt: Date): Promise<void> {
    await tx.manager.update(RoomEntity, { sid }, { emptySince, dueAt });
  }

  /** Marks the room for removal from LiveKit. The room itself continues to exist. */
  async markMediaClosing(tx: Transaction, sid: string): Promise<void> {
    await tx.manager.update(RoomEntity, { sid }, { media: 'closing' });
  }

  /** `endedAt` is by LiveKit's clock, `at` by ours. `summaryDueAt`: when the class is summarized; null if there is nothing to summarize. */
  async finish(
    tx: Transaction,
    sid: string,
    { endedAt, reason, at, summaryDueAt }: { endedAt: Date; reason: EndReason; at: Date; summaryDueAt: Date | null },
  ): Promise<void> {
    await tx.run(finish, sid, endedAt, reason, at, summaryDueAt);
  }

  async markMediaClosed(sid: string): Promise<void> {
    await this.update({ sid, media: 'closing' }, { media: 'closed' });
  }

  private async update(
    where: FindOptionsWhere<RoomEntity>,
    set: Partial<Pick<RoomEntity, 'state' | 'media' | 'dueAt' | 'scheduleDueAt'>>,
  ): Promise<void> {
    await this.database.manager.update(RoomEntity, where, set);
  }

  /** Locks the classes of a person, or the class with a roomId, in the order of their sids. `isFuture`: it has not begun, and no one has opened its page. */
  listErasable(
    tx: Transaction,
    organizationId: string,
    { uid, roomId }: { uid: string | null; roomId: string | null },
    now: Date,
  ): Promise<RowOf<typeof listErasable>[]> {
    return tx.run(listErasable, organizationId, uid, roomId, now);
  }

  /** Removes what the organization's backend wrote about these classes. @returns how many classes */
  async forgetDetails(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(forgetDetails, sids)).length;
  }
}
