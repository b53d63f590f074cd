import { Injectable } from '@nestjs/common';
import { roomCheckpoint } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { SessionAddresses } from '../participants/session-addresses.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { Removals } from '../participants/removals.js';
import type { Right } from '../participants/right.js';
import { Rights } from '../participants/rights.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { boundsOf, CommitPresence, earliestOf, toDate } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { applyList, plausible } from './interval.js';
import { isActive, isPerson, toPerson, type LiveKitParticipant } from '../participants/livekit-person.js';

/**
 * Compares one room with LiveKit's list: applies what lost webhooks would have reported, and verifies the room up to the time
 * of the request. If LiveKit answers that there is no such room, that is an empty list; no answer is not.
 */
@Injectable()
export class ReconcileRoom {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly removals: Removals,
    private readonly rights: Rights,
    private readonly addresses: SessionAddresses,
    private readonly outbox: Outbox,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
    private readonly deadlines: RoomDeadlines,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE if LiveKit does not answer: nothing was changed */
  async execute(sid: string): Promise<void> {
    const takenAt = this.livekitClock.seconds();
    const participants: LiveKitParticipant[] = (await this.livekit.participants(sid)) ?? [];
    const { unwelcome, wrong } = await this.database.transaction(async (tx) => {
      const known = await this.rooms.lockBySid(tx, sid);
      const room = known && (await this.extended(tx, known, toDate(takenAt)));
      if (!room || (room.state !== 'live' && room.state !== 'created')) return { unwelcome: [], wrong: [] };
      const removed = await this.removals.inList(tx, sid, participants);
      const welcome = participants.filter(({ sid: connectionSid }) => !removed.intruders.has(connectionSid ?? ''));
      const untold = await this.rights.untold(tx, sid);
      await this.fold(tx, room, welcome, untold, takenAt);
      return { unwelcome: removed.unwelcome, wrong: this.rights.wrong(sid, untold, welcome) };
    });
    for (const uid of unwelcome) await this.livekit.remove(sid, uid).catch(() => undefined);
    await this.rights.correct(sid, wrong);
  }

  /**
   * The first list after an outage, of a room that was empty before it: emptyTimeout counts from `takenAt`. This happens once
   * for each time that the room is empty, so that a reconciler that is always late does not keep a room open permanently.
   */
  private async extended(tx: Transaction, room: Room, takenAt: Date): Promise<Room> {
    const { sid, state, lastLeftAt, dueAt, emptySince } = room;
    const isExtended = emptySince !== null && lastLeftAt !== null && emptySince >= lastLeftAt;
    if (state !== 'live' || !lastLeftAt || !dueAt || isExtended || this.deadlines.isVerified(room)) return room;
    const later = { ...room, emptySince: takenAt, dueAt: this.deadlines.emptyUntil(lastLeftAt, { ...room, emptySince: takenAt }) };
    await this.rooms.extend(tx, sid, later.emptySince, later.dueAt);
    return later;
  }

  private async fold(
    tx: Transaction,
    room: Room,
    participants: LiveKitParticipant[],
    untold: ReadonlyMap<string, Right>,
    takenAt: number,
  ): Promise<void> {
    const people = participants.filter(isPerson);
    const listed = people.map((participant) => participant.sid ?? '');
    const uids = people.map(({ identity }) => identity ?? '');
    const present = await this.connections.aroundList(tx, room.sid, listed, uids);
    const known = new Set(present.map(({ connectionSid }) => connectionSid));
    const addresses = await this.addresses.of(
      tx,
      room.sid,
      people.filter((one) => !known.has(one.sid ?? '')),
    );
    const active = people.filter(isActive).map((one) => plausible(toPerson(one, untold, addresses), takenAt, earliestOf(room)));
    const changed = applyList(present, { active, listed: new Set(listed), takenAt }, boundsOf(room));
    const version = await this.commitPresence.execute(tx, room, changed);
    await this.checkpoint(tx, room, takenAt, version);
  }

  /**
   * LiveKit answered: the room is verified up to `takenAt`, except for connections that the list did not contain, which were
   * last seen earlier.
   */
  private async checkpoint(tx: Transaction, room: Room, takenAt: number, version: number): Promise<void> {
    const verifiedAt = toDate(takenAt);
    if (!(await this.rooms.recordVerified(tx, room.sid, verifiedAt))) return;
    const unseen = await this.connections.unseen(tx, room.sid, takenAt);
    const data = { ...toEventRoom(room), version, verifiedAt: verifiedAt.toISOString(), unseen };
    await this.outbox.add(tx, fact(roomCheckpoint, room.sid, data));
  }
}
