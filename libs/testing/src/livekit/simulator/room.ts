import { randomBytes } from 'node:crypto';
import type {
  DisconnectReason,
  PacketMessage,
  ParticipantKind,
  ParticipantMessage,
  ParticipantState,
  Permission,
  RoomMessage,
  TrackMessage,
} from './messages.js';
import type { Pace } from './pace.js';
import { newSid } from './random.js';
import { stampMs } from './stamps.js';
import { type Claims, identityOf, kindOf, permissionOf } from './tokens.js';

/** One connection of one identity (pkg/rtc/participant.go). */
export class Participant {
  readonly sid = newSid('PA_');
  readonly identity: string;
  readonly kind: ParticipantKind;
  /** Set when LiveKit creates the participant, before it is ACTIVE. Joined, left and lists all carry this value. */
  readonly joinedAtMs = stampMs();
  readonly tracks = new Map<string, TrackMessage>();
  /** The data packets that this connection received, in order. */
  readonly packets: PacketMessage[] = [];
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  permission: Permission;
  disconnectReason: DisconnectReason = 'UNKNOWN_REASON';
  /** The network is down and LiveKit has not noticed yet. */
  isUnreachable = false;
  /** The next event that happens without a request: becoming ACTIVE, the join timeout, the notice of a crash. */
  timer?: NodeJS.Timeout;
  /** ACTIVE was reached once; decides between `participant_left` and `participant_connection_aborted`. */
  wasActive = false;
  #state: ParticipantState = 'JOINED';
  #version = 1;

  constructor(claims: Claims) {
    this.identity = identityOf(claims);
    this.kind = kindOf(claims);
    this.name = claims.name ?? '';
    this.metadata = claims.metadata ?? '';
    this.attributes = { ...claims.attributes };
    this.permission = permissionOf(claims.video ?? {});
  }

  get state(): ParticipantState {
    return this.#state;
  }

  set state(state: ParticipantState) {
    this.#state = state;
    this.#version++;
  }

  /** Does not count as a person: not in numParticipants or maxParticipants, and does not keep the room open (IsDependent). */
  get isDependent(): boolean {
    return this.kind === 'AGENT' || this.kind === 'EGRESS' || this.permission.agent || this.permission.recorder;
  }

  get isRecorder(): boolean {
    return this.kind === 'EGRESS' || this.permission.recorder;
  }

  /** Whether its permissions allow a track of this source. An empty list of sources allows all of them. */
  canPublishSource(source: string): boolean {
    const { canPublish, canPublishSources } = this.permission;
    return canPublish && (canPublishSources.length === 0 || canPublishSources.includes(source));
  }

  changed(): void {
    this.#version++;
  }

  toMessage(): ParticipantMessage {
    return {
      sid: this.sid,
      identity: this.identity,
      name: this.name,
      state: this.#state,
      metadata: this.metadata,
      attributes: this.attributes,
      joinedAt: String(Math.floor(this.joinedAtMs / 1000)),
      joinedAtMs: String(this.joinedAtMs),
      version: this.#version,
      permission: this.permission,
      isPublisher: this.tracks.size > 0,
      kind: this.kind,
      disconnectReason: this.disconnectReason,
      tracks: [...this.tracks.values()],
    };
  }
}

export interface RoomSettings {
  emptyTimeout?: number;
  departureTimeout?: number;
  maxParticipants?: number;
  metadata?: string;
}

/** pkg/config/config.go RoomConfig: the values for zero. */
const defaultEmptyTimeout = 300;
const defaultDepartureTimeout = 20;
/** pkg/rtc/room.go roomUpdateInterval: counts in lists and webhooks may be out of date by up to this. */
const viewIntervalMs = 5_000;

const enabledCodecs = ['audio/opus', 'audio/red', 'video/VP8', 'video/H264', 'video/VP9', 'video/AV1'].map((mime) => ({
  mime,
}));

/** A room's record (Redis) and, while it is placed on a node, its state there (pkg/rtc/room.go). */
export class Room {
  readonly sid = newSid('RM_');
  readonly creationTimeMs = Date.now();
  readonly #turnPassword = randomBytes(32).toString('base64url');
  emptyTimeout = defaultEmptyTimeout;
  departureTimeout = defaultDepartureTimeout;
  maxParticipants = 0;
  metadata = '';

  isPlaced = false;
  readonly participants = new Map<string, Participant>();
  /**
   * The hash of identities in Redis. Only a clean leave removes an entry, so after a node's death the dead participants are still
   * in it.
   */
  readonly recorded = new Map<string, Participant>();
  firstJoinedAtMs = 0;
  lastLeftAtMs = 0;

  #view = { numParticipants: 0, numPublishers: 0, activeRecording: false };
  #viewTick = 0;
  #isViewDirty = false;

  constructor(
    readonly name: string,
    private readonly pace: Pace,
  ) {}

  /** Only settings that are present and not zero change anything (pkg/service/roomallocator.go CreateRoom). */
  configure(settings: RoomSettings): void {
    this.emptyTimeout = settings.emptyTimeout || this.emptyTimeout;
    this.departureTimeout = settings.departureTimeout || this.departureTimeout;
    this.maxParticipants = settings.maxParticipants || this.maxParticipants;
    this.metadata = settings.metadata || this.metadata;
  }

  /** Placed on a node again: the times of joining and leaving start again, the creation time does not. */
  place(): void {
    this.isPlaced = true;
    this.participants.clear();
    this.firstJoinedAtMs = 0;
    this.lastLeftAtMs = 0;
    this.#view = { numParticipants: 0, numPublishers: 0, activeRecording: false };
  }

  /** The node died: the record stays, and so does the hash with the dead participants. */
  displace(): void {
    this.isPlaced = false;
    this.participants.clear();
  }

  get isFull(): boolean {
    return this.maxParticipants > 0 && this.#countPeople() >= this.maxParticipants;
  }

  get hasPeople(): boolean {
    for (const participant of this.participants.values()) if (!participant.isDependent) return true;
    return false;
  }

  add(participant: Participant): void {
    if (!participant.isDependent) this.firstJoinedAtMs ||= Date.now();
    this.participants.set(participant.identity, participant);
    this.recorded.set(participant.identity, participant);
    this.changed(participant.isRecorder);
  }

  remove(participant: Participant): void {
    this.participants.delete(participant.identity);
    this.recorded.delete(participant.identity);
    this.lastLeftAtMs = Date.now();
    this.changed(participant.isRecorder);
  }

  /** Whether LiveKit's next sweep would close the room (pkg/rtc/room.go CloseIfEmpty). */
  isIdle(nowMs: number): boolean {
    if (this.hasPeople) return false;
    const hasDeparted = this.firstJoinedAtMs > 0 && this.lastLeftAtMs > 0;
    const since = hasDeparted ? this.lastLeftAtMs : this.creationTimeMs;
    const timeout = hasDeparted ? this.departureTimeout : this.emptyTimeout;
    return this.pace.secondsBetween(since, nowMs) >= timeout;
  }

  /** Marks the counts as out of date. They are updated at the next five-second tick, or immediately. */
  changed(isImmediate: boolean): void {
    this.#isViewDirty = true;
    if (isImmediate) this.#renewView();
  }

  toMessage(): RoomMessage {
    const tick = Math.floor((Date.now() - this.creationTimeMs) / this.pace.toReal(viewIntervalMs));
    if (this.#isViewDirty && this.isPlaced && tick > this.#viewTick) this.#renewView();
    this.#viewTick = tick;
    return {
      sid: this.sid,
      name: this.name,
      emptyTimeout: this.emptyTimeout,
      departureTimeout: this.departureTimeout,
      maxParticipants: this.maxParticipants,
      creationTime: String(Math.floor(this.creationTimeMs / 1000)),
      creationTimeMs: String(this.creationTimeMs),
      turnPassword: this.#turnPassword,
      enabledCodecs,
      metadata: this.metadata,
      ...this.#view,
    };
  }

  #renewView(): void {
    this.#isViewDirty = false;
    const all = [...this.participants.values()];
    this.#view = {
      numParticipants: this.#countPeople(),
      numPublishers: all.filter((participant) => participant.tracks.size > 0).length,
      activeRecording: all.some((participant) => participant.isRecorder),
    };
  }

  #countPeople(): number {
    let count = 0;
    for (const participant of this.participants.values()) if (!participant.isDependent) count++;
    return count;
  }
}
