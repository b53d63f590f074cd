import { Injectable } from '@nestjs/common';
import {
  AppError,
  participantConnection,
  roomCorrected,
  roomRpc,
  roomStarted,
  smallestOf,
  type EventData,
  type RpcInput,
} from '@classroom/contracts';
import { metrics } from '@opentelemetry/api';
import { fact, Handles, Outbox, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { RoomReadsRepository } from '../rooms/room-reads.repository.js';
import { hasSchedule, toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { settingsOf } from '../schema/settings.js';
import { ConnectionsRepository, type Versioned } from './connections.repository.js';
import type { Bounds, Interval } from './interval.js';
import { LiveRoomsRepository } from './live-rooms.repository.js';
import { RoomDeadlines } from './room-deadlines.js';

const changes = metrics.getMeter('virtual-classroom').createCounter('classroom_room_presence_changes_total', {
  description: 'Intervals written, open or closed, by the evidence: other than a webhook’s are what webhooks missed',
});

export const toDate = (seconds: number) => new Date(seconds * 1000);
export const toSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Seconds by which LiveKit's clock may be behind ours. A join that precedes its room by more than this is not believable. */
const SKEW_S = 3_600;

/**
 * The earliest second at which something can have happened in the room. A test's moved clock may have created the room in
 * LiveKit's future; then the system's time applies.
 */
export const earliestOf = ({ createdAt }: Room) => Math.min(toSeconds(createdAt), Math.floor(Date.now() / 1000)) - SKEW_S;

export const boundsOf = (room: Room): Bounds => ({
  endedAt: room.endedAt ? toSeconds(room.endedAt) : null,
  verifiedAt: room.verifiedAt ? toSeconds(room.verifiedAt) : null,
});

/** A changed interval, and the trace of the work that changed it; undefined: the active span. */
export interface IntervalChange {
  interval: Interval;
  traceparent?: string | null | undefined;
}

/** What changes in a room, in order. */
export interface RoomChange {
  room: Room;
  changes: readonly IntervalChange[];
}

interface VersionedChange {
  room: Room;
  changes: readonly { interval: Versioned; traceparent: string | null | undefined }[];
  version: number;
}

/**
 * The only place where connections change: assigns versions under the room's lock, computes the room's own columns from the
 * rows, and publishes one fact for each changed interval that is counted.
 */
@Injectable()
export class CommitPresence {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly outbox: Outbox,
    private readonly deadlines: RoomDeadlines,
  ) {}

  /** `tx` must hold the room's lock. @returns the room's version after the change */
  async execute(tx: Transaction, room: Room, changed: readonly Interval[]): Promise<number> {
    await this.executeAll(tx, [changeOf(room, changed)]);
    return room.version + changed.length;
  }

  /** As `execute`, for many rooms. `tx` must hold their locks. */
  async executeAll(tx: Transaction, all: readonly RoomChange[]): Promise<void> {
    const rooms = all.filter(({ changes }) => changes.length > 0).map(withVersions);
    if (rooms.length === 0) return;
    const facts = await this.write(tx, rooms);
    const finished = rooms.filter(({ room }) => room.state === 'finished');
    for (const { room, version } of finished) {
      await this.rooms.recordVersion(tx, room.sid, version);
      const totals = await this.connections.totals(tx, room.sid);
      const { title, endedAt } = room;
      const data = { ...toEventRoom(room), title, endedAt: (endedAt ?? new Date(0)).toISOString(), ...totals, lastVersion: version };
      facts.push(fact(roomCorrected, room.sid, data));
    }
    const open = rooms.filter(({ room }) => room.state !== 'finished');
    await this.outbox.addAll(tx, [...facts, ...(await this.deriveRooms(tx, open))]);
  }

  /**
   * Writes the intervals, their facts and the room's version, but no other column of the room. The end of a room uses it, whose
   * own fact states the totals. @returns the room's version after the change
   */
  async save(tx: Transaction, room: Room, changed: readonly Interval[]): Promise<number> {
    if (changed.length === 0) return room.version;
    const versioned = withVersions(changeOf(room, changed));
    await this.outbox.addAll(tx, await this.write(tx, [versioned]));
    await this.rooms.recordVersion(tx, room.sid, versioned.version);
    return versioned.version;
  }

  /** Writes the intervals. @returns their facts, one for each change */
  private async write(tx: Transaction, rooms: readonly VersionedChange[]): Promise<Fact[]> {
    // Of an interval that changed several times, the last state.
    const last = new Map(
      rooms.flatMap(({ room: { sid }, changes }) => changes.map((change) => [change.interval.connectionSid, { sid, ...change.interval }])),
    );
    await this.connections.save(tx, [...last.values()]);
    const all = rooms.flatMap(({ changes }) => changes.map(({ interval }) => interval));
    tx.afterCommit(`changes-${all[0]?.connectionSid}-${all[0]?.version}`, () => {
      for (const { leftAt, openedBy, closedBy } of all)
        changes.add(1, leftAt === null ? { state: 'open', evidence: openedBy } : { state: 'closed', evidence: closedBy ?? 'unknown' });
    });
    return rooms.flatMap(({ room, changes }) =>
      changes.filter(({ interval }) => interval.isCounted).map(({ interval, traceparent }) => toFact(room, interval, traceparent)),
    );
  }

  /** Computes the columns of rooms that have not ended from their connections. @returns the facts of those that start now */
  private async deriveRooms(tx: Transaction, rooms: readonly VersionedChange[]): Promise<Fact[]> {
    if (rooms.length === 0) return [];
    const summaries = await this.connections.summarizePresence(
      tx,
      rooms.map(({ room }) => room.sid),
    );
    const facts: Fact[] = [];
    const started: string[] = [];
    const rows = rooms.map(({ room, version, changes: changed }) => {
      const { count = 0, hasTeacher = false, lastLeftAt = null } = summaries.get(room.sid) ?? {};
      const startedAt = earliest(
        room.startedAt,
        changed.map(({ interval }) => interval),
      );
      const isEmpty = count === 0 && lastLeftAt !== null;
      const dueAt = isEmpty ? this.deadlines.emptyTimeoutAt(toDate(lastLeftAt), room) : count > 0 ? null : room.dueAt;
      if (dueAt && isEmpty) tx.afterCommit(`due-${room.sid}`, () => this.deadlines.schedule(room.sid, dueAt));
      if (room.state !== 'live' && startedAt !== null) started.push(room.sid);
      if (room.state === 'created' && startedAt !== null) {
        const { budget } = settingsOf(room);
        const data = { ...toEventRoom(room), title: room.title, startedAt: startedAt.toISOString(), ...(budget && { budget }) };
        facts.push(fact(roomStarted, room.sid, data, changed[0]?.traceparent));
      }
      return {
        sid: room.sid,
        version,
        participantCount: count,
        hasTeacher,
        lastLeftAt: lastLeftAt === null ? null : toDate(lastLeftAt),
        dueAt,
        state: startedAt === null ? room.state : ('live' as const),
        // Late evidence of an earlier join corrects it.
        startedAt,
        // The end of the lesson may depend on the first join.
        scheduleDueAt: startedAt?.getTime() !== room.startedAt?.getTime() && hasSchedule(room) ? room.createdAt : null,
      };
    });
    await this.rooms.recordPresence(tx, rows);
    if (started.length > 0) await this.liveRooms.add(tx, started, this.deadlines.nextReconcile());
    return facts;
  }
}

const changeOf = (room: Room, intervals: readonly Interval[]): RoomChange => ({
  room,
  changes: intervals.map((interval) => ({ interval })),
});

/** The changes with their versions, in their order, and the room's version after them. */
function withVersions({ room, changes: changed }: RoomChange): VersionedChange {
  const versioned = changed.map(({ interval, traceparent }, index) => ({
    interval: { ...interval, version: room.version + index + 1 },
    traceparent,
  }));
  return { room, changes: versioned, version: room.version + versioned.length };
}

/** When the first person joined. Late evidence may bring an earlier join, but never removes one. */
function earliest(startedAt: Date | null, changed: readonly Interval[]): Date | null {
  const joins = changed.filter(({ isCounted }) => isCounted).map(({ joinedAt }) => joinedAt * 1000);
  const known = startedAt ? [startedAt.getTime(), ...joins] : joins;
  return known.length === 0 ? null : new Date(smallestOf(known));
}

const toFact = (room: Room, interval: Versioned, traceparent: string | null | undefined): Fact =>
  fact(participantConnection, room.sid, toConnection(room, interval), traceparent);

/** An interval in the form of events and of the answer to `rpc.room.room.connections`. */
function toConnection(room: Room, interval: Versioned): EventData<typeof participantConnection> {
  const { connectionSid, uid, name, role, ip, joinedAt, leftAt, openedBy, closedBy, version } = interval;
  return {
    ...toEventRoom(room),
    connectionSid,
    uid,
    name,
    role,
    ip,
    joinedAt: toDate(joinedAt).toISOString(),
    leftAt: leftAt === null ? null : toDate(leftAt).toISOString(),
    openedBy,
    closedBy,
    version,
  };
}

@Injectable()
export class ListConnections {
  constructor(
    private readonly rooms: RoomReadsRepository,
    private readonly connections: ConnectionsRepository,
  ) {}

  /** @throws AppError ROOM_NOT_FOUND */
  @Handles(roomRpc.connections)
  async execute({ sid, after, limit }: RpcInput<typeof roomRpc.connections>) {
    const room = await this.rooms.findBySid(sid);
    if (!room) throw new AppError('ROOM_NOT_FOUND');
    const intervals = await this.connections.page(sid, after, limit);
    return { connections: intervals.map((interval) => toConnection(room, interval)) };
  }
}
