import type { EventLog } from './event-log.js';
import type { DisconnectReason, PacketMessage, TrackMessage, WebhookEventName, WebhookMessage } from './messages.js';
import type { Pace } from './pace.js';
import { Participant, type Room } from './room.js';
import { newSid } from './random.js';
import { stampMs } from './stamps.js';
import { type Claims, identityOf } from './tokens.js';
import type { Truth } from './truth.js';
import { PlainError } from './twirp-error.js';
import type { WebhookNotifier } from './webhooks/notifier.js';

/** Converts what happened into webhooks (pkg/telemetry/events.go). */
export class Announcer {
  constructor(
    private readonly notifiers: readonly WebhookNotifier[],
    private readonly log: EventLog,
  ) {}

  announce(event: WebhookEventName, room: Room, participant?: Participant): void {
    this.#send({ ...this.#head(event), room: room.toMessage(), participant: participant?.toMessage() });
  }

  /** Contains only ids and names of the room and the participant: pkg/telemetry/events.go TrackPublished. */
  trackPublished(room: Room, participant: Participant, track: TrackMessage): void {
    this.#send({
      ...this.#head('track_published'),
      room: { sid: room.sid, name: room.name },
      participant: { sid: participant.sid, identity: participant.identity },
      track,
    });
  }

  /** The process and its queues end after `graceMs`. */
  forget(graceMs = 0): void {
    for (const notifier of this.notifiers) notifier.forget(graceMs);
  }

  #head(event: WebhookEventName) {
    return { event, id: newSid('EV_'), createdAt: String(Math.floor(stampMs() / 1000)) };
  }

  #send(message: WebhookMessage): void {
    this.log.write(message.event, { id: message.id, room: message.room.name, sid: message.participant?.sid });
    // A full queue ends the loop, so the urls after it do not get the event either (protocol/webhook/notifier.go QueueNotify).
    for (const notifier of this.notifiers) if (!notifier.notify(message)) break;
  }
}

/** ICE disconnect plus disconnectCleanupDuration: measured about 20 s from the crash to `participant_left`. */
const crashNoticedMs = 20_000;
/** pkg/rtc/room.go Join: a participant that is not ACTIVE after a minute is closed with JOIN_FAILURE. */
const joinTimeoutMs = 60_000;

export interface JoinOptions {
  /** 0 or absent: ACTIVE immediately. Null: signal only, the media connection never comes up. */
  activeAfterMs?: number | null;
}

/** The participants in the rooms of the running node, by sid (pkg/rtc/room.go, pkg/rtc/participant.go). */
export class Connections {
  readonly #bySid = new Map<string, { room: Room; participant: Participant }>();

  constructor(
    private readonly pace: Pace,
    private readonly truth: Truth,
    private readonly announcer: Announcer,
    private readonly log: EventLog,
  ) {}

  get count(): number {
    return this.#bySid.size;
  }

  enter(room: Room, claims: Claims, { activeAfterMs = 0 }: JoinOptions): Participant {
    const older = room.participants.get(identityOf(claims));
    if (older) this.leave(older.sid, 'DUPLICATE_IDENTITY');
    const participant = new Participant(claims);
    // The client gets no reason: the signal endpoint only sees the session close (pkg/service/rtcservice.go readInitialResponse).
    if (!participant.isDependent && room.isFull) throw new PlainError(500, 'connection closed by media');
    const { sid } = participant;
    room.add(participant);
    this.#bySid.set(sid, { room, participant });
    this.truth.connected(room, participant);
    this.log.write('connected', { sid, room: room.name, identity: participant.identity });
    if (activeAfterMs === 0) this.activate(sid);
    else if (activeAfterMs !== null) participant.timer = setTimeout(() => this.activate(sid), activeAfterMs);
    else participant.timer = setTimeout(() => this.leave(sid, 'JOIN_FAILURE'), this.pace.toReal(joinTimeoutMs));
    return participant;
  }

  activate(sid: string): void {
    const { room, participant } = this.#get(sid);
    if (participant.wasActive) return;
    clearTimeout(participant.timer);
    participant.state = 'ACTIVE';
    participant.wasActive = true;
    this.truth.active(sid);
    this.announcer.announce('participant_joined', room, participant);
  }

  publish(sid: string, track: Pick<TrackMessage, 'name' | 'type' | 'source'>): TrackMessage {
    const { room, participant } = this.#get(sid);
    if (!participant.canPublishSource(track.source)) throw new PlainError(403, `${participant.identity} may not publish ${track.source}`);
    const published = { ...track, sid: newSid('TR_'), muted: false };
    participant.tracks.set(published.sid, published);
    participant.changed();
    room.changed(false);
    this.announcer.trackPublished(room, participant, published);
    return published;
  }

  /** The server's data packet reaches every participant who is ACTIVE now, or only those of `identities` (pkg/rtc/room.go). */
  send(room: Room, packet: PacketMessage, identities: readonly string[]): void {
    for (const participant of room.participants.values()) {
      const isAddressed = identities.length === 0 || identities.includes(participant.identity);
      if (isAddressed && participant.state === 'ACTIVE' && !participant.isUnreachable) participant.packets.push(packet);
    }
  }

  packets(sid: string): readonly PacketMessage[] {
    return this.#get(sid).participant.packets;
  }

  /** Without a reason: the client disconnects, or, before it was ACTIVE, closes its signal connection. */
  leave(sid: string, given?: DisconnectReason): void {
    const { room, participant } = this.#get(sid);
    const reason = given ?? (participant.wasActive ? 'CLIENT_INITIATED' : 'SIGNAL_CLOSE');
    clearTimeout(participant.timer);
    this.#bySid.delete(sid);
    participant.disconnectReason = reason;
    participant.tracks.clear();
    participant.state = 'DISCONNECTED';
    room.remove(participant);
    this.truth.disconnected(sid, reason);
    this.log.write('disconnected', { sid, reason });
    const event = participant.wasActive ? 'participant_left' : 'participant_connection_aborted';
    this.announcer.announce(event, room, participant);
  }

  /**
   * The race of 1.13.5: if a participant is closed at the moment at which it becomes ACTIVE, LiveKit may send aborted and then
   * joined, the joined event with state DISCONNECTED, and never a left (onStateChange runs in its own goroutine, Close does not).
   */
  leaveDuringActivation(sid: string): void {
    const { room, participant } = this.#get(sid);
    if (participant.wasActive) throw new PlainError(409, `${sid} is ACTIVE: the race needs one who joined with activeAfterMs null`);
    this.leave(sid);
    this.announcer.announce('participant_joined', room, participant);
  }

  /** The network is cut. LiveKit notices after `noticedAfterMs`; null: never, the participant is a ghost. */
  crash(sid: string, noticedAfterMs: number | null = crashNoticedMs): void {
    const { participant } = this.#get(sid);
    clearTimeout(participant.timer);
    participant.isUnreachable = true;
    this.truth.disconnected(sid, 'CRASHED');
    if (noticedAfterMs === null) return;
    const reason = participant.wasActive ? 'CONNECTION_TIMEOUT' : 'SIGNAL_CLOSE';
    participant.timer = setTimeout(() => this.leave(sid, reason), this.pace.toReal(noticedAfterMs));
  }

  /** The client reconnected in time: same sid, no webhook (roommanager.go StartSession, pi.Reconnect). */
  resume(sid: string): void {
    const { participant } = this.#get(sid);
    if (!participant.isUnreachable) return;
    clearTimeout(participant.timer);
    participant.isUnreachable = false;
    this.truth.resumed(sid);
  }

  /** The node died: all participants are gone, without an event. */
  loseAll(): void {
    for (const { participant } of this.#bySid.values()) {
      clearTimeout(participant.timer);
      this.truth.disconnected(participant.sid, 'NODE_LOST');
    }
    this.#bySid.clear();
  }

  #get(sid: string): { room: Room; participant: Participant } {
    const connection = this.#bySid.get(sid);
    if (!connection) throw new PlainError(404, `no connection ${sid}`);
    return connection;
  }
}
