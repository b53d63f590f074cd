import type { Announcer, Connections, JoinOptions } from './connections.js';
import type { DisconnectReason } from './messages.js';
import type { Pace } from './pace.js';
import { Room, type Participant, type RoomSettings } from './room.js';
import type { SeededRandom } from './random.js';
import { type Claims, identityOf } from './tokens.js';
import { noNodeRecord, noResponse, PlainError, roomNotFound } from './twirp-error.js';

/** psrpc DefaultClientTimeout: how long LiveKit waits for a node that does not exist. */
const noResponseMs = 3_000;
/** Nodes send a heartbeat every 2 s and count as available for 5 s (pkg/routing/selector/utils.go): measured 3 to 5 s after a kill. */
const deadNodeRecordMs = 4_500;
/** An orderly stop exits about this long after closing its rooms (measured). What the receiver has not accepted by then is lost. */
const exitAfterMs = 1_200;

/** One LiveKit server with its Redis: the rooms, the sweep, and the node's deaths (pkg/service/roommanager.go). */
export class SimulatedNode {
  /** The rooms in Redis; they survive the node. */
  readonly rooms = new Map<string, Room>();
  /** New names that were assigned to the dead node while it still counted as available. */
  readonly #misplaced = new Set<string>();
  #upAt = 0;
  #deadNodeGoneAt = 0;
  #wasNodeRecordRemoved = false;

  constructor(
    readonly pace: Pace,
    readonly connections: Connections,
    private readonly announcer: Announcer,
    private readonly random: SeededRandom,
  ) {}

  get isUp(): boolean {
    return Date.now() >= this.#upAt;
  }

  /** The result of a psrpc request to a topic without a subscriber. */
  async noResponse(): Promise<never> {
    await this.pace.wait(noResponseMs);
    throw noResponse();
  }

  async createRoom(name: string, settings: RoomSettings): Promise<Room> {
    const room = this.rooms.get(name);
    if (room?.isPlaced) return room;
    if (Date.now() < this.#deadNodeGoneAt) {
      // A recorded room belongs to the dead node. A new name is assigned to one of two nodes that both count as available.
      if (!room && this.random.happens(0.5)) this.#misplaced.add(name);
      if (room || this.#misplaced.has(name)) return this.noResponse();
    }
    return this.#place(room ?? new Room(name, this.pace), settings);
  }

  #place(room: Room, settings: RoomSettings): Room {
    room.configure(settings);
    room.place();
    this.rooms.set(room.name, room);
    this.announcer.announce('room_started', room);
    return room;
  }

  async join(claims: Claims, options: JoinOptions = {}): Promise<Participant> {
    return this.connections.enter(await this.#roomToJoin(claims), claims, options);
  }

  /** pkg/service/utils.go ValidateConnectRequest, with `room.auto_create: false`. */
  async #roomToJoin(claims: Claims): Promise<Room> {
    const name = claims.video?.room ?? '';
    if (!claims.video?.roomJoin) throw new PlainError(401, 'permissions denied');
    if (!identityOf(claims)) throw new PlainError(400, 'identity cannot be empty');
    if (!name) throw new PlainError(400, 'no room name');
    const recorded = this.rooms.get(name);
    if (!recorded && !claims.video.roomCreate) throw new PlainError(404, 'requested room does not exist');
    if (recorded?.isPlaced) return recorded;
    // A join places a room that lost its node. Its retries last longer than the dead node's record (measured: 5.1 s).
    const remainingMs = this.#deadNodeGoneAt - Date.now();
    if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
    return this.createRoom(name, {});
  }

  async deleteRoom(name: string): Promise<void> {
    const room = this.rooms.get(name);
    if (!room) throw roomNotFound();
    if (!room.isPlaced) {
      // LiveKit asks the router without choosing a node first, so createRoom must place the room before it can be deleted
      // (measured).
      if (this.#wasNodeRecordRemoved) throw noNodeRecord();
      await this.noResponse();
    }
    this.#close(room, 'ROOM_DELETED');
  }

  #close(room: Room, reason: DisconnectReason): void {
    for (const participant of room.participants.values()) this.connections.leave(participant.sid, reason);
    room.isPlaced = false;
    this.rooms.delete(room.name);
    this.announcer.announce('room_finished', room);
  }

  /** Runs once a second (pkg/service/server.go backgroundWorker). */
  sweep(nowMs = Date.now()): void {
    for (const room of this.rooms.values()) if (room.isPlaced && room.isIdle(nowMs)) this.#close(room, 'ROOM_CLOSED');
  }

  /** kill -9 and a new node `downMs` later: no events; records and the hash of participants stay. */
  lose(downMs: number): void {
    this.#upAt = Date.now() + downMs;
    this.#deadNodeGoneAt = Date.now() + this.pace.toReal(deadNodeRecordMs);
    // Dead nodes are removed from Redis only when a node starts (RemoveDeadNodes).
    this.#wasNodeRecordRemoved = this.#upAt > this.#deadNodeGoneAt;
    this.#misplaced.clear();
    this.announcer.forget();
    this.connections.loseAll();
    for (const room of this.rooms.values()) room.displace();
  }

  /** SIGTERM twice (the first only drains): the node's rooms are closed and deleted, then the process ends. */
  stop(downMs: number): void {
    for (const room of this.rooms.values()) if (room.isPlaced) this.#close(room, 'SERVER_SHUTDOWN');
    this.#upAt = Date.now() + downMs;
    // Real time: the receiver is not faster at a higher pace.
    this.announcer.forget(exitAfterMs);
  }
}
