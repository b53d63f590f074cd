import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { billingRpc, creditsOf, type RpcInput, type SessionsQuery } from '@classroom/contracts';
import { Handles, TextStreams } from '@classroom/messaging';
import { cell, line, row } from '@classroom/platform';
import { ParticipantSessions, type ReportScope } from './participant-sessions.js';
import { RoomsRepository } from './rooms.repository.js';
import { SessionsStore, type RoomGroup, type Totals } from './sessions-store.js';

/** Minutes with two decimals. */
export const minutes = (seconds: number) => (seconds / 60).toFixed(2);

const MICROSECONDS_PER_SECOND = 1_000_000;
const DAY_S = 86_400;

/** `00` to `59`. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const twoDigits = (n: number) => TWO_DIGITS[n] ?? '';

/** Formats sessions as lines of the report. One report has millions of them, so what repeats is formatted once. */
class SessionLines {
  private day = NaN;
  private dayText = '';
  private ip: string | null = null;
  private ipText = '';

  /** @param now end of the sessions that are still active */
  constructor(private readonly now: Date) {}

  /**
   * @param head the first cells, which differ between the reports
   * @param joinedAt microseconds since 1970, as `leftAt`
   */
  format(head: string, joinedAt: number, leftAt: number | null, ip: string | null): string {
    const end = leftAt ?? this.now.getTime() * 1_000;
    const duration = minutes(Math.max(0, Math.floor((end - joinedAt) / MICROSECONDS_PER_SECOND)));
    const [left, status] = leftAt === null ? ['', 'Active'] : [this.instant(leftAt), 'Completed'];
    return line(`${head},${this.instant(joinedAt)},${left},${duration},${duration},${status},${this.address(ip)}`);
  }

  /** As `Date.toISOString`, which takes three times as long. */
  private instant(microseconds: number): string {
    const seconds = Math.floor(microseconds / MICROSECONDS_PER_SECOND);
    const day = Math.floor(seconds / DAY_S);
    if (day !== this.day) {
      this.day = day;
      this.dayText = new Date(day * DAY_S * 1_000).toISOString().slice(0, -'00:00:00.000Z'.length);
    }
    const second = seconds - day * DAY_S;
    const fraction = Math.floor((microseconds - seconds * MICROSECONDS_PER_SECOND) / 1_000);
    const time = `${twoDigits(Math.floor(second / 3_600))}:${twoDigits(Math.floor(second / 60) % 60)}:${twoDigits(second % 60)}`;
    return `${this.dayText}${time}.${fraction === 0 ? '000' : String(fraction).padStart(3, '0')}Z`;
  }

  private address(ip: string | null): string {
    if (ip !== this.ip) {
      this.ip = ip;
      this.ipText = cell(ip);
    }
    return this.ipText;
  }
}

const ROOMS_PER_CHUNK = 5_000;
/** Rooms whose cells are kept while a report is written. */
const MAX_HEADS = 20_000;
/** Characters that are sent together. V8 collects longer strings and their bytes late: their garbage made the process grow by 150 MB. */
const PART_LENGTH = 96_000;
const ALL_ROOMS_HEADER = 'Room ID,Room Title,Joined At,Left At,Duration (min),Credits,Status,IP Address';
const ONE_ROOM_HEADER = 'Session #,Joined At,Left At,Duration (minutes),Credits Consumed,Status,IP Address';

/** The participant session report as CSV, in parts: header, totals, rooms, then all sessions, newest first. A table has the sessions alone. */
@Injectable()
export class ExportSessions {
  constructor(
    private readonly sessions: ParticipantSessions,
    private readonly store: SessionsStore,
    private readonly roomsRepository: RoomsRepository,
    private readonly streams: TextStreams,
  ) {}

  @Handles(billingRpc.exportSessions)
  async execute({ inbox, isTable, ...query }: RpcInput<typeof billingRpc.exportSessions>) {
    return this.streams.open(inbox, () => this.parts(query, isTable));
  }

  private async *parts(query: SessionsQuery, isTable: boolean): AsyncGenerator<string> {
    const scope = await this.sessions.resolveScope(query);
    const isAllRooms = query.roomId === undefined;
    if (!isTable) yield* this.summary(query, scope);
    yield line(isAllRooms ? ALL_ROOMS_HEADER : ONE_ROOM_HEADER);
    yield* this.rows(scope, isAllRooms);
  }

  /** Everything before the sessions. */
  private async *summary(query: SessionsQuery, scope: ReportScope): AsyncGenerator<string> {
    const participant = await this.sessions.findParticipant(query);
    const rooms = query.roomId === undefined ? await this.store.groups(scope.filter, ROOMS_PER_CHUNK, 0) : undefined;
    const totals = rooms && rooms.length < ROOMS_PER_CHUNK ? totalsOf(rooms) : await this.store.totals(scope.filter);
    const identity = row('Participant UID', participant.uid) + row('Participant Name', participant.name) + row('Role', participant.role);
    if (rooms) {
      yield line('Participant Session Report') + identity + line() + toSummary(totals, 'all rooms');
      yield* this.rooms(scope, rooms);
      yield line() + line('Detailed Sessions');
    } else {
      const room = row('Room ID', query.roomId ?? null) + row('Room Title', scope.room?.title ?? null);
      yield line('Participant Session Report - Single Room') + identity + room + line() + toSummary(totals, 'one room');
      yield line() + line('Sessions');
    }
  }

  private async *rooms({ filter }: ReportScope, first: RoomGroup[]): AsyncGenerator<string> {
    yield line() + line('Room Summary') + line('Room ID,Room Title,Sessions,Total Time (min),Credits Consumed,Avg Session (min)');
    let groups = first;
    for (let offset = ROOMS_PER_CHUNK; ; offset += ROOMS_PER_CHUNK) {
      yield groups
        .map(({ roomId, title, sessions, seconds }) =>
          line([cell(roomId), cell(title), sessions, minutes(seconds), creditsOf(seconds), minutes(seconds / sessions)].join(',')),
        )
        .join('');
      if (groups.length < ROOMS_PER_CHUNK) return;
      groups = await this.store.groups(filter, ROOMS_PER_CHUNK, offset);
    }
  }

  /**
   * Each chunk begins after the last row of the one before, found by index, so no cursor or transaction stays open. Postgres reads the
   * next chunk while one is formatted and sent.
   */
  private async *rows({ filter }: ReportScope, isAllRooms: boolean): AsyncGenerator<string> {
    const lines = new SessionLines(filter.now);
    const heads = new Map<string, string>();
    let written = 0;
    let reading = this.store.readChunk(filter, { joinedAt: filter.to.getTime() * 1_000, connectionSid: '' });
    for (;;) {
      const { next, decode } = await reading;
      if (next) {
        reading = this.store.readChunk(filter, next);
        // If the reader leaves, no code awaits the next chunk.
        reading.catch(() => undefined);
        // The driver sends the statement when the event loop turns, and formatting would delay that.
        await setImmediate();
      }
      const { sids, joinedAt, leftAt, ips } = decode();
      if (isAllRooms) await this.addHeads(heads, sids);
      let text = '';
      for (const [at, sid] of sids.entries()) {
        written += 1;
        const head = isAllRooms ? heads.get(sid) : String(written);
        if (head !== undefined) text += lines.format(head, joinedAt[at] ?? 0, leftAt[at] ?? null, ips[at] ?? null);
        if (text.length < PART_LENGTH) continue;
        yield text;
        text = '';
      }
      if (text) yield text;
      if (!next) return;
    }
  }

  /** Adds the cells that state the rooms of these sessions. */
  private async addHeads(heads: Map<string, string>, sids: readonly string[]): Promise<void> {
    if (heads.size > MAX_HEADS) heads.clear();
    const missing = [...new Set(sids)].filter((sid) => !heads.has(sid));
    if (missing.length === 0) return;
    for (const { sid, roomId, title } of await this.roomsRepository.findRooms(missing)) heads.set(sid, `${cell(roomId)},${cell(title)}`);
  }
}

/** If all rooms are already in memory, the sessions need not be read again. */
function totalsOf(rooms: readonly RoomGroup[]): Totals {
  const sum = (of: 'sessions' | 'seconds') => rooms.reduce((total, room) => total + room[of], 0);
  return { sessions: sum('sessions'), rooms: rooms.length, seconds: sum('seconds') };
}

function toSummary({ sessions, rooms, seconds }: Totals, scope: 'all rooms' | 'one room'): string {
  return (
    line('Summary') +
    (scope === 'all rooms' ? row('Total Rooms Attended', rooms) : '') +
    row('Total Sessions', sessions) +
    row('Total Time (minutes)', minutes(seconds)) +
    row('Total Credits Consumed', creditsOf(seconds)) +
    row('Average Session Duration (minutes)', minutes(sessions === 0 ? 0 : seconds / sessions))
  );
}
