import { Injectable } from '@nestjs/common';
import { isUnavailable, roomCheckpoint, type Role } from '@classroom/contracts';
import { DueWorks, fact, Outbox, type DueWork, type Fact } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Batcher, Clock, currentTraceparent, InBackground, inSpans, logger, SpanKind } from '@classroom/platform';
import { LiveKitClock } from '../livekit/livekit-clock.js';
import { isActive, isPerson, toPerson, type LiveKitParticipant } from '../livekit/livekit-person.js';
import { LiveKitRooms, type MediaRoom } from '../livekit/livekit-rooms.js';
import { ParticipantsRepository } from '../participants/participants.repository.js';
import { Removals } from '../participants/removals.js';
import { RightsReconciler, type ClassToCorrect } from '../participants/participant-rights.js';
import { SessionAddresses } from '../participants/session-addresses.js';
import { toEventRoom, type Room } from '../rooms/room.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { boundsOf, CommitPresence, earliestOf, toDate, type RoomChange } from './commit-presence.js';
import { ConnectionsRepository } from './connections.repository.js';
import { applyList, withPlausibleJoin, type Interval } from './interval.js';
import { LiveRoomsRepository } from './live-rooms.repository.js';
import { RoomDeadlines } from './room-deadlines.js';

/** A batch locks its rooms for a few milliseconds, for which a participant's own action waits. */
const BATCH_SIZE = 64;

/** Who is in a room according to LiveKit. */
export interface RoomList {
  sid: string;
  participants: readonly LiveKitParticipant[];
  /** When the list was requested, in seconds of LiveKit's clock. */
  takenAt: number;
}

/** What is to be done in LiveKit after the commit. */
export interface ListFollowUps {
  /** uids */
  toEvict: readonly string[];
  /** Absent if the room is not open. */
  admitted?: ClassToCorrect;
}

type TracedList = RoomList & { traceparent: string | null };

interface RoomToFold {
  room: Room;
  people: readonly LiveKitParticipant[];
  changedRoles: ReadonlyMap<string, Role>;
  takenAt: number;
  traceparent: string | null;
}

const NOTHING: ListFollowUps = { toEvict: [] };

/** Applies LiveKit's lists: those that arrive while a transaction is in progress share the next one. */
@Injectable()
export class ApplyLists {
  private readonly batcher = new Batcher<TracedList, ListFollowUps>(BATCH_SIZE, (lists) => this.settle(lists));

  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly commitPresence: CommitPresence,
    private readonly participants: ParticipantsRepository,
    private readonly removals: Removals,
    private readonly addresses: SessionAddresses,
    private readonly outbox: Outbox,
    private readonly deadlines: RoomDeadlines,
  ) {}

  /** A room that is not live, or not created, is left as it is. */
  execute(list: RoomList): Promise<ListFollowUps> {
    return this.batcher.add({ ...list, traceparent: currentTraceparent() });
  }

  /** If the batch fails, each list is applied by itself. */
  private async settle(lists: readonly TracedList[]): Promise<PromiseSettledResult<ListFollowUps>[]> {
    const [result] = await Promise.allSettled([this.applyTraced(lists)]);
    if (result.status === 'fulfilled') return result.value.map((value) => ({ status: 'fulfilled', value }));
    if (lists.length === 1) return [result];
    const results: PromiseSettledResult<ListFollowUps>[] = [];
    for (const list of lists) for (const settled of await this.settle([list])) results.push(settled);
    return results;
  }

  private applyTraced(lists: readonly TracedList[]): Promise<ListFollowUps[]> {
    const spans = lists.map(({ sid, traceparent }) => ({ traceparent, attributes: { 'room.sid': sid } }));
    return inSpans('apply list', { kind: SpanKind.INTERNAL, requireParent: true }, spans, async (scopes) => {
      // Of several lists of a room, the last.
      const bySid = new Map(lists.map((list, index) => [list.sid, { ...list, traceparent: scopes[index]?.traceparent ?? null }]));
      const followUps = await this.database.transaction((tx) => this.apply(tx, bySid));
      return lists.map(({ sid }) => followUps.get(sid) ?? NOTHING);
    });
  }

  private async apply(tx: Transaction, lists: ReadonlyMap<string, TracedList>): Promise<ReadonlyMap<string, ListFollowUps>> {
    const open = (await this.rooms.lockAllBySid(tx, [...lists.keys()])).filter(({ state }) => state === 'live' || state === 'created');
    const sids = open.map(({ sid }) => sid);
    if (sids.length === 0) return new Map();
    const revocations = await this.removals.findRevoked(tx, sids, lists);
    const roles = await this.participants.listChangedRoles(tx, sids);
    const followUps = new Map<string, ListFollowUps>();
    const toFold: RoomToFold[] = [];
    for (const known of open) {
      const { participants, takenAt, traceparent } = lists.get(known.sid) ?? { participants: [], takenAt: 0, traceparent: null };
      const room = await this.withExtendedTimeout(tx, known, toDate(takenAt));
      const { toEvict, revokedConnections } = revocations.get(room.sid) ?? { toEvict: [], revokedConnections: new Set() };
      const admitted = participants.filter(({ sid }) => !revokedConnections.has(sid ?? ''));
      followUps.set(room.sid, { toEvict, admitted: { room, participants: admitted } });
      toFold.push({ room, people: admitted.filter(isPerson), changedRoles: roles.get(room.sid) ?? new Map(), takenAt, traceparent });
    }
    await this.foldAll(tx, toFold);
    return followUps;
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

  private async foldAll(tx: Transaction, rooms: readonly RoomToFold[]): Promise<void> {
    const all = rooms.flatMap(({ room: { sid }, people }) =>
      people.map((participant) => ({ sid, connectionSid: participant.sid ?? '', uid: participant.identity ?? '', participant })),
    );
    const present = await this.connections.findRelatedToAll(
      tx,
      all,
      rooms.map(({ room }) => room.sid),
    );
    const unknown = all.filter(({ sid, connectionSid }) => !present.get(sid)?.has(connectionSid));
    const addresses = await this.addresses.findByConnection(tx, unknown);
    const changes = rooms.map((one) => fold(one, present.get(one.room.sid), addresses));
    await this.commitPresence.executeAll(tx, changes);
    const differing = changes.flatMap(({ room, changes: changed }) => (changed.length > 0 ? [room.sid] : []));
    if (differing.length > 0) await this.liveRooms.expedite(tx, differing, this.deadlines.nextReconcile({ hasDifference: true }));
    await this.outbox.addAll(tx, await this.recordCheckpoints(tx, rooms, changes));
  }

  /**
   * LiveKit answered: each room is verified up to its `takenAt`, except for connections that the list did not contain, which were
   * last seen earlier. @returns the facts
   */
  private async recordCheckpoints(tx: Transaction, rooms: readonly RoomToFold[], changes: readonly RoomChange[]): Promise<Fact[]> {
    const verified = await this.rooms.recordVerified(
      tx,
      rooms.map(({ room: { sid }, takenAt }) => ({ sid, takenAt: toDate(takenAt) })),
    );
    const checkpoints = rooms.filter(({ room }) => verified.has(room.sid));
    const unseen = await this.connections.findUnseen(
      tx,
      checkpoints.map(({ room: { sid }, takenAt }) => ({ sid, takenAt })),
    );
    const versions = new Map(changes.map(({ room, changes: changed }) => [room.sid, room.version + changed.length]));
    return checkpoints.map(({ room, takenAt, traceparent }) => {
      const version = versions.get(room.sid) ?? room.version;
      const data = { ...toEventRoom(room), version, verifiedAt: toDate(takenAt).toISOString(), unseen: unseen.get(room.sid) ?? [] };
      return fact(roomCheckpoint, room.sid, data, traceparent);
    });
  }
}

function fold(
  { room, people, changedRoles, takenAt, traceparent }: RoomToFold,
  present: ReadonlyMap<string, Interval> | undefined,
  addresses: ReadonlyMap<string, string>,
): RoomChange {
  const active = people.filter(isActive).map((one) => withPlausibleJoin(toPerson(one, changedRoles, addresses), takenAt, earliestOf(room)));
  const listed = new Set(people.map(({ sid }) => sid ?? ''));
  const changed = applyList([...(present?.values() ?? [])], { active, listed, takenAt }, boundsOf(room));
  return { room, changes: changed.map((interval) => ({ interval, traceparent })) };
}

/**
 * Compares one room with LiveKit's list: applies what lost webhooks would have reported, and verifies the room up to the time
 * of the request. If LiveKit answers that there is no such room, that is an empty list; no answer is not.
 */
@Injectable()
export class ReconcileRoom {
  constructor(
    private readonly applyLists: ApplyLists,
    private readonly rights: RightsReconciler,
    private readonly livekit: LiveKitRooms,
    private readonly livekitClock: LiveKitClock,
  ) {}

  /** @throws AppError SERVICE_UNAVAILABLE if LiveKit does not answer: nothing was changed */
  async execute(sid: string): Promise<void> {
    const takenAt = this.livekitClock.seconds();
    const participants = (await this.livekit.participants(sid)) ?? [];
    const { toEvict, admitted } = await this.applyLists.execute({ sid, participants, takenAt });
    for (const uid of toEvict) await this.livekit.remove(sid, uid).catch(() => undefined);
    if (admitted) await this.rights.correct([admitted]);
  }

  /** After a change of rights that concerns a whole class. If it fails, the presence reconciler does it. */
  async soon(sid: string): Promise<void> {
    await this.execute(sid).catch((error: unknown) => logger.warn({ err: error, sid }, 'rights of a class not yet applied; will retry'));
  }
}

const INTERVAL_MS = 500;
/** Rooms that are compared at the same time: many, because one whose node died answers only after 3.5 s. */
const PARALLEL = 128;
const PARALLEL_RETRIES = 32;
/** Rooms that are claimed at a time: so many comparisons begin together. */
const BATCH = 16;
/** Milliseconds until a room without an answer is requested again. */
const RETRY_DELAY_MS = 3_000;

/** Reconciles the rooms that are due. Any number of workers do so in parallel: SKIP LOCKED distributes the rooms. */
@Injectable()
export class PresenceReconciler {
  @InBackground() private readonly due: DueWork<MediaRoom>;
  /** Separately, so that they take no places from other rooms. If the process ends in the meantime, the room's next turn follows anyway. */
  @InBackground() private readonly retries: DueWork<MediaRoom>;

  constructor(
    dueWorks: DueWorks,
    private readonly liveRooms: LiveRoomsRepository,
    private readonly clock: Clock,
    deadlines: RoomDeadlines,
    private readonly livekit: LiveKitRooms,
    private readonly reconcileRoom: ReconcileRoom,
  ) {
    const common = { intervalMs: INTERVAL_MS, keyOf: ({ sid }: MediaRoom) => sid, batch: BATCH };
    this.due = dueWorks.declare<MediaRoom>({
      ...common,
      name: 'reconciler',
      parallel: PARALLEL,
      claim: (_now, limit) => liveRooms.claimDue(clock.classTime(), deadlines.nextReconcile(), limit),
      run: (room) => this.reconcile(room),
    });
    this.retries = dueWorks.declare<MediaRoom>({
      ...common,
      name: 'reconciler-retries',
      parallel: PARALLEL_RETRIES,
      isByWallTime: true,
      claim: (now, limit) => liveRooms.claimRetries(now, deadlines.nextReconcile(), limit),
      run: async (room) => {
        if (await this.reconcile(room)) await liveRooms.recordRetryAt(room.sid, null);
      },
    });
  }

  /** @returns whether LiveKit answered */
  private async reconcile(room: MediaRoom): Promise<boolean> {
    try {
      await this.reconcileRoom.execute(room.sid);
      return true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // LiveKit may answer for other rooms: then this room's node is dead, and the room needs another one.
      await this.livekit.recreate(room).catch(() => undefined);
      const retryAt = new Date(this.clock.wall().getTime() + RETRY_DELAY_MS);
      // If Postgres is unreachable, too, the room's next regular turn follows in any case.
      await this.liveRooms.recordRetryAt(room.sid, retryAt).catch(() => undefined);
      return false;
    }
  }
}
