import type { Bridge, Embedding } from './bridge.js';
import type { AppState } from '../app/app-store.js';
import type { ParticipantInfo } from '../people/roster.js';
import { OUTCOMES, type OutcomeReason, type State } from '../app/outcomes.js';
import type { Store } from '../store.js';
import type { DisconnectReason as HostReason } from '@virtual-classroom/embed';
import type { DisconnectReason } from 'livekit-client';
import { livekit } from '../media/livekit.js';

const MAX_REMEMBERED_REMOVALS = 100;

/** Reports a stay to the host page: each connection once, each change of state, and who joins and leaves. */
export class HostEvents {
  private isConnected = false;
  private roomId: string | undefined;
  private readonly removed = new Set<string>();
  /** The local participant, until their own removal is reported. */
  private self: ParticipantInfo | undefined;

  constructor(
    readonly bridge: Bridge,
    app: Store<AppState>,
  ) {
    const embedding = readEmbedding(document);
    if (embedding) this.identify(embedding.roomId, embedding.verifiedDomains);
    let from: State = app.get().state;
    app.subscribe(() => {
      const { state: to, session } = app.get();
      if (session) this.identify(session.room.roomId, session.verifiedDomains);
      if (to === from) return;
      bridge.emit('state_changed', { from, to });
      from = to;
    });
  }

  reportConnected({ participant }: NonNullable<AppState['session']>): void {
    if (this.isConnected) return;
    this.isConnected = true;
    const { uid, name } = participant;
    const role = participant.role as ParticipantInfo['role'];
    this.self = { uid, name, role };
    this.bridge.emit('connected', { uid, role });
  }

  /** `data`: a loss after which the page reconnects by itself, or the end of the stay. */
  reportDisconnected(data: DisconnectedEvent, wasReconnecting = false): void {
    if (!this.isConnected && !wasReconnecting) return;
    this.isConnected = false;
    this.bridge.emit('disconnected', data);
  }

  /** Reports the end of the stay, if the class ended or the page failed. */
  reportOutcome(reason: OutcomeReason, endReason: string | undefined): void {
    if (reason === 'ended') this.bridge.emit('class_ended', { reason: endReason ?? 'class_ended' });
    if (OUTCOMES[reason].state === 'error')
      this.bridge.emit('error', { code: reason, message: `The classroom stopped: ${reason}`, fatal: true });
  }

  reportJoined({ uid, name, role }: ParticipantInfo): void {
    this.bridge.emit('participant_joined', { uid, name, role });
  }

  reportLeft({ uid, name, role }: ParticipantInfo): void {
    const reason = this.removed.delete(uid) ? 'removed' : 'left';
    this.bridge.emit('participant_left', { uid, name, role, reason });
  }

  /** Reports the removal of another participant. `reportLeft` then gives `removed` as the reason. */
  reportRemoval({ uid, name, role }: ParticipantInfo): void {
    if (uid === this.self?.uid) return this.reportOwnRemoval();
    const [oldest] = this.removed;
    if (this.removed.size >= MAX_REMEMBERED_REMOVALS && oldest !== undefined) this.removed.delete(oldest);
    this.removed.add(uid);
    this.bridge.emit('participant_removed', { uid, name, role });
  }

  /** The class state may report the removal before LiveKit closes the connection. Reports it once. */
  reportOwnRemoval(): void {
    if (this.self) this.bridge.emit('participant_removed', this.self);
    this.self = undefined;
  }

  private identify(roomId: string, verifiedDomains: readonly string[]): void {
    if (this.roomId === roomId) return;
    this.roomId = roomId;
    this.bridge.identify({ roomId, verifiedDomains });
  }
}

/**
 * The gateway writes the room id and the verified domains into the page. They are known without a session, so the host page is
 * notified even if the page fails to get one.
 */
function readEmbedding(page: Document): Embedding | undefined {
  try {
    return JSON.parse(page.querySelector<HTMLMetaElement>('meta[name="embedding"]')?.content ?? '') as Embedding;
  } catch {
    return undefined;
  }
}

export interface DisconnectedEvent {
  reason: HostReason;
  willReconnect: boolean;
}

/** Maps LiveKit's reason for a disconnection to the one that the host page receives. In all but two cases the page reconnects. */
export function toDisconnectedEvent(reason: DisconnectReason | undefined): DisconnectedEvent {
  const { DisconnectReason: Reason } = livekit;
  switch (reason) {
    case Reason.PARTICIPANT_REMOVED:
      return { reason: 'participant_removed', willReconnect: false };
    case Reason.DUPLICATE_IDENTITY:
      return { reason: 'duplicate_identity', willReconnect: false };
    case Reason.SERVER_SHUTDOWN:
    case Reason.ROOM_DELETED:
    case Reason.ROOM_CLOSED:
    case Reason.MIGRATION:
      return { reason: 'server_shutdown', willReconnect: true };
    default:
      return { reason: 'network_disconnect', willReconnect: true };
  }
}

const FINAL: Partial<Record<OutcomeReason, HostReason>> = {
  left: 'voluntary_leave',
  ended: 'class_ended',
  removed: 'participant_removed',
  refused: 'participant_removed',
  'no-consent': 'participant_removed',
  replaced: 'duplicate_identity',
  expired: 'token_expired',
  full: 'room_full',
  unreachable: 'network_disconnect',
  'no-media': 'network_disconnect',
};

/** The same for the end of the stay. */
export function toFinalDisconnectedEvent(reason: OutcomeReason): DisconnectedEvent {
  return { reason: FINAL[reason] ?? 'unknown', willReconnect: false };
}
