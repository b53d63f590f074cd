import type {
  DisconnectReason,
  PacketMessage,
  ParticipantKind,
  ParticipantMessage,
  ParticipantState,
  Permission,
  TrackMessage,
} from './messages.js';
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
