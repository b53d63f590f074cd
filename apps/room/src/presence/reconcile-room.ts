import { Injectable } from '@nestjs/common';
import { roomCheckpoint } from '@classroom/contracts';
import { fact, Outbox } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { SessionAddresses } from '../participants/session-addresses.js';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { Removals } from '../participants/removals.js';
import type { ParticipantRights } from '../participants/participant-rights.js';
import { RightsReconciler } from '../participants/rights-reconciler.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { RoomDeadlines } from '../rooms/room-deadlines.js';
import { boundsOf, CommitPresence, earliestOf, toDate } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { applyList, withPlausibleJoin } from './interval.js';
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
    private readonly rights: RightsReconciler,
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
    const { toEvict, corrections } = await this.database.transaction(async (tx) => {
      const known = await this.rooms.lockBySid(tx, sid);
      const room = known && (await this.withExtendedTimeout(tx, known, toDate(takenAt)));
      if (!room || (room.state !== 'live' && room.state !== 'created')) return { toEvict: [], corrections: [] };
      const removed = await this.removals.findRevoked(tx, sid, participants);
      const admitted = participants.filter(({ sid: connectionSid }) => !removed.revokedConnections.has(connectionSid ?? ''));
      const rightsOverridingToken =
        (await this.rights.findRightsOverridingToken(tx, [sid])).get(sid) ?? new Map<string, ParticipantRights>();
      await this.foldList(tx, room, admitted, rightsOverridingToken, takenAt);
      return { toEvict: removed.toEvict, corrections: this.rights.findMismatches(sid, rightsOverridingToken, admitted) };
    });
    for (const uid of toEvict) await this.livekit.remove(sid, uid).catch(() => undefined);
    await this.rights.applyCorrections(sid, corrections);
  }

  /**
   * The first list after an outage, of a room that was empty before it: emptyTimeout counts from `takenAt`. This happens once
   * for each time that the room is empty, so that a reconciler that is always late does not keep a room open permanently.
   */
  private async withExtendedTimeout(tx: Transaction, room: Room, takenAt: Date): Promise<Room> {
    const { sid, state, lastLeftAt, dueAt, emptySince } = room;
    const isExtended = emptySince !== null && lastLeftAt !== null && emptySince >= lastLeftAt;
    if (state !== 'live' || !lastLeftAt || !dueAt || isExtended || this.deadlines.isVerified(room)) return room;
    const later = { ...room, emptySince: takenAt, dueAt: this.deadlines.emptyTimeoutAt(lastLeftAt, { ...room, emptySince: takenAt }) };
    await this.rooms.recordEmptySince(tx, sid, later.emptySince, later.dueAt);
    return later;
  }

  private async foldList(
    tx: Transaction,
    room: Room,
    participants: LiveKitParticipant[],
    rightsOverridingToken: ReadonlyMap<string, ParticipantRights>,
    takenAt: number,
  ): Promise<void> {
    const people = participants.filter(isPerson);
    const listed = people.map((participant) => participant.sid ?? '');
    const uids = people.map(({ identity }) => identity ?? '');
    const present = await this.connections.findRelatedToList(tx, room.sid, listed, uids);
    const known = new Set(present.map(({ connectionSid }) => connectionSid));
    const addresses = await this.addresses.findByConnection(
      tx,
      people.filter((one) => !known.has(one.sid ?? '')).map((participant) => ({ sid: room.sid, participant })),
    );
    const active = people
      .filter(isActive)
      .map((one) => withPlausibleJoin(toPerson(one, rightsOverridingToken, addresses), takenAt, earliestOf(room)));
    const changed = applyList(present, { active, listed: new Set(listed), takenAt }, boundsOf(room));
    const version = await this.commitPresence.execute(tx, room, changed);
    await this.recordCheckpoint(tx, room, takenAt, version);
  }

  /**
   * LiveKit answered: the room is verified up to `takenAt`, except for connections that the list did not contain, which were
   * last seen earlier.
   */
  private async recordCheckpoint(tx: Transaction, room: Room, takenAt: number, version: number): Promise<void> {
    const verifiedAt = toDate(takenAt);
    if (!(await this.rooms.recordVerified(tx, room.sid, verifiedAt))) return;
    const unseen = await this.connections.findUnseen(tx, room.sid, takenAt);
    const data = { ...toEventRoom(room), version, verifiedAt: verifiedAt.toISOString(), unseen };
    await this.outbox.add(tx, fact(roomCheckpoint, room.sid, data));
  }
}
