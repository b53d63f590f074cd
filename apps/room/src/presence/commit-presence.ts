import { Injectable } from '@nestjs/common';
import { participantConnection, roomCorrected, roomStarted, type EventData } from '@classroom/contracts';
import { metrics } from '@opentelemetry/api';
import { fact, Outbox, type Fact } from '@classroom/messaging';
import type { Transaction } from '@classroom/persistence';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { ConnectionsRepository, type Versioned } from './connections.repository.js';
import type { Bounds, Interval } from './interval.js';

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

/**
 * The only place where connections change: assigns versions under the room's lock, computes the room's own columns from the
 * rows, and publishes one fact for each changed interval that is counted.
 */
@Injectable()
export class CommitPresence {
  constructor(
    private readonly rooms: RoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly outbox: Outbox,
    private readonly deadlines: RoomDeadlines,
  ) {}

  /** `tx` must hold the room's lock. Returns the room's version after the change. */
  async execute(tx: Transaction, room: Room, changed: readonly Interval[]): Promise<number> {
    if (changed.length === 0) return room.version;
    const version = await this.save(tx, room, changed);
    const facts = room.state === 'finished' ? await this.correction(tx, room, version) : await this.deriveRoom(tx, room, changed);
    await this.outbox.add(tx, ...facts);
    return version;
  }

  /**
   * Writes the intervals, their facts and the room's version, but no other column of the room. The end of a room uses it, whose
   * own fact states the totals.
   */
  async save(tx: Transaction, room: Room, changed: readonly Interval[]): Promise<number> {
    const versioned = changed.map((interval, index) => ({ ...interval, version: room.version + index + 1 }));
    const version = room.version + versioned.length;
    if (versioned.length === 0) return version;
    await this.connections.save(tx, room.sid, versioned);
    for (const { leftAt, openedBy, closedBy, connectionSid } of versioned) {
      const attributes = leftAt === null ? { state: 'open', evidence: openedBy } : { state: 'closed', evidence: closedBy ?? 'unknown' };
      tx.afterCommit(`change-${connectionSid}`, () => changes.add(1, attributes));
    }
    await this.rooms.recordVersion(tx, room.sid, version);
    await this.outbox.add(tx, ...versioned.filter(({ isCounted }) => isCounted).map((interval) => toFact(room, interval)));
    return version;
  }

  private async correction(tx: Transaction, room: Room, lastVersion: number): Promise<Fact[]> {
    const totals = await this.connections.totals(tx, room.sid);
    return [fact(roomCorrected, room.sid, { ...toEventRoom(room), ...totals, lastVersion })];
  }

  private async deriveRoom(tx: Transaction, room: Room, changed: readonly Interval[]): Promise<Fact[]> {
    const { count, hasTeacher, lastLeftAt } = await this.connections.summarizePresence(tx, room.sid);
    const startedAt = earliest(room.startedAt, changed);
    const starts = room.state === 'created' && startedAt !== null;
    const isEmpty = count === 0 && lastLeftAt !== null;
    const dueAt = isEmpty ? this.deadlines.emptyTimeoutAt(toDate(lastLeftAt), room) : count > 0 ? null : room.dueAt;
    await this.rooms.recordPresence(tx, room.sid, {
      participantCount: count,
      hasTeacher,
      lastLeftAt: lastLeftAt === null ? null : toDate(lastLeftAt),
      dueAt,
      state: startedAt === null ? room.state : 'live',
      // Late evidence of an earlier join corrects it.
      startedAt,
      reconcileAt: this.deadlines.nextReconcile(),
    });
    if (dueAt && isEmpty) tx.afterCommit('due', () => this.deadlines.schedule(room.sid, dueAt));
    if (!starts) return [];
    return [fact(roomStarted, room.sid, { ...toEventRoom(room), title: room.title, startedAt: startedAt.toISOString() })];
  }
}

/** When the first person joined. Late evidence may bring an earlier join, but never removes one. */
function earliest(startedAt: Date | null, changed: readonly Interval[]): Date | null {
  const joins = changed.filter(({ isCounted }) => isCounted).map(({ joinedAt }) => joinedAt * 1000);
  const known = startedAt ? [startedAt.getTime(), ...joins] : joins;
  return known.length === 0 ? null : new Date(Math.min(...known));
}

const toFact = (room: Room, interval: Versioned): Fact => fact(participantConnection, room.sid, toConnection(room, interval));

/** An interval in the form of events and of the answer to `rpc.room.room.connections`. */
export function toConnection(room: Room, interval: Versioned): EventData<typeof participantConnection> {
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
