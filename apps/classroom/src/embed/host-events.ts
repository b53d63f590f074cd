import { createBridge, type Embedding } from './bridge.js';
import { handleHostCommands } from './host-commands.js';
import type { AppState } from '../app/app-store.js';
import type { ClassroomController, Ending, Part } from '../app/classroom-controller.js';
import { Attendance, type ParticipantInfo } from '../people/roster.js';
import { OUTCOMES, type OutcomeReason, type State } from '../app/outcomes.js';
import type { DisconnectReason as HostReason } from '@virtual-classroom/embed';
import type { ConnectionQuality, DisconnectReason } from 'livekit-client';
import { livekit } from '../media/livekit.js';

const MAX_REMEMBERED_REMOVALS = 100;

/** Reports a stay to the host page: each connection once, each change of state, and who joins and leaves. */
export class HostEvents implements Part {
  readonly bridge = createBridge({ window });
  private isConnected = false;
  private roomId: string | undefined;
  private readonly removed = new Set<string>();
  /** The local participant, until their own removal is reported. */
  private self: ParticipantInfo | undefined;

  constructor(private readonly classroom: ClassroomController) {
    const { app, classStore } = classroom;
    const { bridge } = this;
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
    const attendance = classroom.get(Attendance);
    attendance.joined.add(({ uid, name, role }) => bridge.emit('participant_joined', { uid, name, role }));
    attendance.left.add((participant) => this.reportLeft(participant));
    classStore.onRemoval((removal) => this.reportRemoval({ ...removal, role: removal.role as ParticipantInfo['role'] }));
    handleHostCommands(bridge, classroom);
  }

  onConnection(): void {
    const { current } = this.classroom.sessions;
    if (current) this.reportConnected(current);
  }

  onQualityChanged(uid: string, quality: ConnectionQuality): void {
    this.bridge.emit('connection_quality_changed', { uid, quality });
  }

  onDisconnected(reason: DisconnectReason | undefined): void {
    this.reportDisconnected(toDisconnectedEvent(reason));
  }

  onEnd({ reason, endReason, wasReconnecting }: Ending): void {
    if (reason === 'removed') this.reportOwnRemoval();
    this.reportDisconnected(toFinalDisconnectedEvent(reason), wasReconnecting);
    if (reason === 'ended') this.bridge.emit('class_ended', { reason: endReason ?? 'class_ended' });
    if (OUTCOMES[reason].state === 'error')
      this.bridge.emit('error', { code: reason, message: `The classroom stopped: ${reason}`, fatal: true });
    this.classroom.app.set({ hostRequest: undefined });
  }

  private reportConnected({ participant }: NonNullable<AppState['session']>): void {
    if (this.isConnected) return;
    this.isConnected = true;
    const { uid, name } = participant;
    const role = participant.role as ParticipantInfo['role'];
    this.self = { uid, name, role };
    this.bridge.emit('connected', { uid, role });
  }

  /** `data`: a loss after which the page reconnects by itself, or the end of the stay. */
  private reportDisconnected(data: DisconnectedEvent, wasReconnecting = false): void {
    if (!this.isConnected && !wasReconnecting) return;
    this.isConnected = false;
    this.bridge.emit('disconnected', data);
  }

  private reportLeft({ uid, name, role }: ParticipantInfo): void {
    const reason = this.removed.delete(uid) ? 'removed' : 'left';
    this.bridge.emit('participant_left', { uid, name, role, reason });
  }

  /** Reports the removal of another participant. `reportLeft` then gives `removed` as the reason. */
  private reportRemoval({ uid, name, role }: ParticipantInfo): void {
    if (uid === this.self?.uid) return this.reportOwnRemoval();
    const [oldest] = this.removed;
    if (this.removed.size >= MAX_REMEMBERED_REMOVALS && oldest !== undefined) this.removed.delete(oldest);
    this.removed.add(uid);
    this.bridge.emit('participant_removed', { uid, name, role });
  }

  /** The class state may report the removal before LiveKit closes the connection. Reports it once. */
  private reportOwnRemoval(): void {
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
