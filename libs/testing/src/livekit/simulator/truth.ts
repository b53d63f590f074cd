import type { DisconnectReason, ParticipantKind } from './messages.js';
import type { Participant, Room } from './room.js';
import { stampMs } from './stamps.js';

/** What really happened to one connection, in milliseconds, whatever LiveKit noticed or reported. */
export interface TrueConnection {
  sid: string;
  identity: string;
  name: string;
  kind: ParticipantKind;
  isHidden: boolean;
  room: string;
  roomSid: string;
  connectedAt: number;
  /** Absent if the media connection never came up: LiveKit then sends `participant_connection_aborted`. */
  activeAt?: number;
  disconnectedAt?: number;
  reason?: DisconnectReason | 'CRASHED' | 'NODE_LOST';
}

/** The reference for the load and fault tests. */
export class Truth {
  readonly #connections = new Map<string, TrueConnection>();

  connected(room: Room, participant: Participant): void {
    this.#connections.set(participant.sid, {
      sid: participant.sid,
      identity: participant.identity,
      name: participant.name,
      kind: participant.kind,
      isHidden: participant.permission.hidden,
      room: room.name,
      roomSid: room.sid,
      connectedAt: participant.joinedAtMs,
    });
  }

  active(sid: string): void {
    const connection = this.#connections.get(sid);
    if (connection) connection.activeAt = stampMs();
  }

  /** The first end counts: a participant that crashed was gone then, not when LiveKit noticed. */
  disconnected(sid: string, reason: TrueConnection['reason']): void {
    const connection = this.#connections.get(sid);
    if (!connection || connection.disconnectedAt !== undefined) return;
    connection.disconnectedAt = stampMs();
    connection.reason = reason;
  }

  /** A resume keeps the sid and the interval: LiveKit did not notice the interruption, so billing must not either. */
  resumed(sid: string): void {
    const connection = this.#connections.get(sid);
    if (!connection) return;
    delete connection.disconnectedAt;
    delete connection.reason;
  }

  list(room?: string): TrueConnection[] {
    const all = [...this.#connections.values()];
    return room === undefined ? all : all.filter((connection) => connection.room === room);
  }

  clear(): void {
    for (const [sid, connection] of this.#connections) {
      if (connection.disconnectedAt !== undefined) this.#connections.delete(sid);
    }
  }
}
