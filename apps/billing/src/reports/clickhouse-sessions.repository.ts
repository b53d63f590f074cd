import { Injectable } from '@nestjs/common';
import { Clickhouse, fromMicroseconds, toMicroseconds, type ClickhouseSession } from './clickhouse.js';
import { RoomsRepository } from './rooms.repository.js';
import {
  positionAfter,
  ROWS_PER_CHUNK,
  SessionsStore,
  type Attendee,
  type Position,
  type RoomGroup,
  type RoomKey,
  type SessionChunk,
  type SessionEvidence,
  type SessionFilter,
  type SessionRecord,
  type Totals,
} from './sessions-store.js';

const TABLE = 'sessions';
const MAX_LIMIT = 4_294_967_295;

/**
 * The key of a row has only columns that no later version changes: a version with another key would not replace the earlier one, and the
 * session would count twice. Therefore `joined_at` is not in it.
 */
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} (
  organization_id String,
  uid             String,
  connection_sid  String,
  sid             String,
  name            String,
  role            LowCardinality(String),
  ip              Nullable(String),
  joined_at       DateTime64(6, 'UTC'),
  left_at         Nullable(DateTime64(6, 'UTC')),
  version         UInt64,
  INDEX by_room sid TYPE bloom_filter GRANULARITY 1
) ENGINE = ReplacingMergeTree(version) ORDER BY (organization_id, uid, connection_sid)`;

/** FINAL: of each session only the row with the highest version. */
const FROM = `FROM ${TABLE} FINAL WHERE organization_id = {organizationId:String}`;
const SELECTED = `${FROM} AND uid = {uid:String} AND joined_at >= fromUnixTimestamp64Micro({from:Int64})
  AND ({sid:Nullable(String)} IS NULL OR sid = {sid:Nullable(String)})`;
const FILTERED = `${SELECTED} AND joined_at < fromUnixTimestamp64Micro({to:Int64})`;
const MICROSECONDS = `greatest(0, ifNull(toUnixTimestamp64Micro(left_at), {now:Int64}) - toUnixTimestamp64Micro(joined_at))`;
const SECONDS = `intDiv(${MICROSECONDS}, 1000000)`;
const ROW = `sid, connection_sid AS connectionSid, toUnixTimestamp64Micro(joined_at) AS joinedAt, toUnixTimestamp64Micro(left_at) AS leftAt, ip`;
const NEWEST_FIRST = 'ORDER BY joined_at DESC, connection_sid DESC';
const PAGE = 'LIMIT {limit:UInt32} OFFSET {offset:UInt32}';

const parametersOf = ({ organizationId, uid, from, to, sid, now }: SessionFilter) => ({
  organizationId,
  uid,
  from: toMicroseconds(from),
  to: toMicroseconds(to),
  sid,
  now: toMicroseconds(now),
});

/** A session; its times in microseconds since 1970. */
type Row = Position & { sid: string; leftAt: number | null; ip: string | null };
type TimedRow = Row & { seconds: number };
type Attending = Omit<Attendee, 'firstJoinedAt' | 'lastLeftAt'> & { firstJoinedAt: number; lastLeftAt: number | null };

/** Evidence of a session that Postgres has not folded yet. */
const UNKNOWN: SessionEvidence = { openedBy: 'unknown', closedBy: null };

/** A copy of the sessions in ClickHouse. Ids and titles of rooms and the evidence of sessions come from Postgres. */
@Injectable()
export class ClickhouseSessionsRepository extends SessionsStore {
  private created: Promise<void> | undefined;

  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly rooms: RoomsRepository,
  ) {
    super();
  }

  override async findIdentity(organizationId: string, uid: string): Promise<{ name: string; role: string } | null> {
    const query = `SELECT name, role ${FROM} AND uid = {uid:String} ${NEWEST_FIRST} LIMIT 1`;
    const [row] = await this.clickhouse.query<{ name: string; role: string }>(query, { organizationId, uid });
    return row ?? null;
  }

  override async totals(filter: SessionFilter): Promise<Totals> {
    const query = `SELECT count() AS sessions, uniqExact(sid) AS rooms, sum(${SECONDS}) AS seconds ${FILTERED}`;
    const [row] = await this.clickhouse.query<Totals>(query, parametersOf(filter));
    return row ?? { sessions: 0, rooms: 0, seconds: 0 };
  }

  override async groups(filter: SessionFilter, limit: number, offset: number): Promise<RoomGroup[]> {
    const groups = await this.clickhouse.query<Omit<RoomGroup, 'roomId' | 'title'>>(
      `SELECT sid, count() AS sessions, sum(${SECONDS}) AS seconds ${FILTERED} GROUP BY sid ORDER BY max(joined_at) DESC, sid ${PAGE}`,
      { ...parametersOf(filter), limit, offset },
    );
    const rooms = new Map((await this.rooms.findRooms(groups.map(({ sid }) => sid))).map((room) => [room.sid, room]));
    return groups.flatMap((group) => {
      const room = rooms.get(group.sid);
      return room ? [{ ...room, ...group }] : [];
    });
  }

  override async newestByRoom(filter: SessionFilter, sids: string[], each: number): Promise<SessionRecord[]> {
    const query = `SELECT ${ROW}, ${SECONDS} AS seconds ${FILTERED} AND sid IN {sids:Array(String)} ${NEWEST_FIRST} LIMIT {each:UInt32} BY sid`;
    return this.withEvidence(filter, await this.clickhouse.query<TimedRow>(query, { ...parametersOf(filter), sids, each }));
  }

  override async page(filter: SessionFilter, limit: number, offset: number): Promise<SessionRecord[]> {
    const query = `SELECT ${ROW}, ${SECONDS} AS seconds ${FILTERED} ${NEWEST_FIRST} ${PAGE}`;
    return this.withEvidence(filter, await this.clickhouse.query<TimedRow>(query, { ...parametersOf(filter), limit, offset }));
  }

  override async readChunk(filter: SessionFilter, { joinedAt: before, connectionSid }: Position): Promise<SessionChunk> {
    const query = `SELECT ${ROW} ${SELECTED}
      AND (joined_at, connection_sid) < (fromUnixTimestamp64Micro({before:Int64}), {connectionSid:String}) ${NEWEST_FIRST} LIMIT ${ROWS_PER_CHUNK}`;
    const rows = await this.clickhouse.query<Row>(query, { ...parametersOf(filter), before, connectionSid });
    const decode = () => ({
      sids: rows.map(({ sid }) => sid),
      joinedAt: rows.map(({ joinedAt }) => joinedAt),
      leftAt: rows.map(({ leftAt }) => leftAt),
      ips: rows.map(({ ip }) => ip),
    });
    const { joinedAt = 0, connectionSid: lastConnectionSid = '' } = rows.at(-1) ?? {};
    return { next: positionAfter(rows.length, { joinedAt, connectionSid: lastConnectionSid }), decode };
  }

  override async listAttendees({ organizationId, sid }: RoomKey, until: Date, after: string, limit: number | null): Promise<Attendee[]> {
    const rows = await this.clickhouse.query<Attending>(
      `SELECT uid, argMax(name, joined_at) AS name, argMax(role, joined_at) AS role, toUnixTimestamp64Micro(min(joined_at)) AS firstJoinedAt,
              if(countIf(left_at IS NULL) > 0, NULL, toUnixTimestamp64Micro(max(left_at))) AS lastLeftAt,
              intDiv(sum(${MICROSECONDS}), 1000000) AS seconds, count() AS sessions,
              groupArray((intDiv(toUnixTimestamp64Micro(joined_at), 1000000), intDiv(ifNull(toUnixTimestamp64Micro(left_at), {now:Int64}), 1000000))) AS stays
         ${FROM} AND sid = {sid:String} AND uid > {after:String} GROUP BY uid ORDER BY uid LIMIT {limit:UInt32}`,
      { organizationId, sid, now: toMicroseconds(until), after, limit: limit ?? MAX_LIMIT },
    );
    return rows.map(({ firstJoinedAt, lastLeftAt, ...row }) => ({
      ...row,
      firstJoinedAt: fromMicroseconds(firstJoinedAt),
      lastLeftAt: lastLeftAt === null ? null : fromMicroseconds(lastLeftAt),
    }));
  }

  /**
   * Deletes the sessions of classes, all versions, and returns when ClickHouse has rewritten the parts that contained them.
   * @param classes an empty sid stands for all classes of the organization
   */
  async delete(classes: readonly { organizationId: string; sid: string }[]): Promise<void> {
    const sids = classes.map(({ sid }) => sid).filter(Boolean);
    const organizationIds = classes.filter(({ sid }) => sid === '').map(({ organizationId }) => organizationId);
    await this.create();
    // A mutation is stored as text, so it can have no parameters.
    const condition = `has(${listOf(sids)}, sid) OR has(${listOf(organizationIds)}, organization_id)`;
    await this.clickhouse.command(`ALTER TABLE ${TABLE} DELETE WHERE ${condition} SETTINGS mutations_sync = 1`);
  }

  /** Adds versions of sessions, in any order and however often. Creates the table if it does not exist. */
  async insert(rows: readonly ClickhouseSession[]): Promise<void> {
    try {
      await this.create();
      await this.clickhouse.insert(TABLE, rows);
    } catch (error) {
      // The table may be missing, for example in another server at the same address.
      this.created = undefined;
      throw error;
    }
  }

  private async withEvidence({ organizationId, from, to }: SessionFilter, rows: readonly TimedRow[]): Promise<SessionRecord[]> {
    const connectionSids = rows.map(({ connectionSid }) => connectionSid);
    const found = rows.length === 0 ? [] : await this.rooms.findEvidence(organizationId, connectionSids, from, to);
    const evidence = new Map(found.map(({ connectionSid, ...one }) => [connectionSid, one]));
    return rows.map((row) => toRecord(row, evidence.get(row.connectionSid) ?? UNKNOWN));
  }

  private create(): Promise<void> {
    return (this.created ??= this.clickhouse.command(CREATE));
  }
}

/** An array in ClickHouse's syntax. @throws Error if an id has a character that ours do not have */
function listOf(ids: readonly string[]): string {
  if (!ids.every((id) => /^[\w-]*$/.test(id))) throw new Error('not an id');
  return `CAST([${ids.map((id) => `'${id}'`).join(', ')}], 'Array(String)')`;
}

const toRecord = ({ joinedAt, leftAt, ...row }: TimedRow, evidence: SessionEvidence): SessionRecord => ({
  ...row,
  ...evidence,
  joinedAt: fromMicroseconds(joinedAt),
  leftAt: leftAt === null ? null : fromMicroseconds(leftAt),
});
