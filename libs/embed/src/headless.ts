import type { Room, RoomOptions } from 'livekit-client';
import { Emitter } from './emitter.js';
import { ClassStateSync } from './headless/class-state-sync.js';
import { Connection, type ConnectionListener, type TrackData, type TrackSource } from './headless/connection.js';
import { toDisconnectedEvent, toDisconnectReason } from './headless/disconnect-reasons.js';
import { ClassroomRefusal } from './headless/refusal.js';
import type { ClassroomSession, Permissions } from './headless/responses.js';
import { Roster } from './headless/roster.js';
import { SessionClient, type SessionOptions } from './headless/session-client.js';
import { retryWithBackoff } from './retry.js';
import type { ClassroomEvents, ParticipantData, Role } from './protocol.js';
import { VideoQualityMonitor } from './video-quality.js';

export { ClassroomRefusal, type ClassroomSession, type Permissions, type TrackData, type TrackSource };

/** The events of a class without the classroom page. */
export type HeadlessEvents = Omit<ClassroomEvents, 'class_ending_soon' | 'notification_count_changed' | 'state_changed' | 'error'> & {
  trackSubscribed: TrackData;
  trackUnsubscribed: TrackData;
};

export interface HeadlessOptions extends SessionOptions {
  /** Options for livekit-client's Room. */
  room?: RoomOptions;
}

/** How long the first entry is retried, in milliseconds. A reconnection is retried without a time limit. */
const ENTRY_TIMEOUT_MS = 20_000;
const RENEWAL_RETRY_MS = 15_000;

const isFinal = (error: unknown) => error instanceof ClassroomRefusal && !error.isPassing;

/** A class without the classroom page: its events and tracks, for a custom user interface. Each step aborts the previous one. */
export class HeadlessClassroom {
  private readonly events = new Emitter<HeadlessEvents>();
  private readonly sessions: SessionClient;
  private readonly roster = new Roster({
    onJoined: (participant) => this.events.emit('participant_joined', participant),
    onLeft: (participant) => this.events.emit('participant_left', participant),
  });
  private readonly classState: ClassStateSync;
  private readonly videoQuality = new VideoQualityMonitor((change) => this.events.emit('quality_changed', change));
  private phase = new AbortController();
  private connection: Connection | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private isOwnRemovalReported = false;

  constructor(private readonly options: HeadlessOptions) {
    this.sessions = new SessionClient(options);
    this.classState = new ClassStateSync((after) => this.sessions.state(after), {
      onRemoved: ({ uid, name, role }) => {
        if (uid === this.session?.participant.uid) return this.reportOwnRemoval();
        this.roster.markRemoved(uid);
        this.events.emit('participant_removed', { uid, name, role: role as Role });
      },
      onRecordingStarted: ({ egressId, status }) => this.events.emit('recording_started', { egressId, status }),
      onRecordingStopped: ({ egressId, status }) => this.events.emit('recording_stopped', { egressId, status }),
    });
  }

  /** Adds a listener. @returns a function that removes it */
  on<T extends keyof HeadlessEvents>(type: T, listener: (data: HeadlessEvents[T]) => void): () => void {
    return this.events.on(type, listener);
  }

  /** The participant, the room and the participant's permissions; undefined before `connect` and after `leave`. */
  get session(): ClassroomSession | undefined {
    return this.sessions.current;
  }

  /** All other participants in class. */
  get participants(): ParticipantData[] {
    return this.roster.list();
  }

  /**
   * livekit-client's Room, for publishing and everything else. Each reconnection creates a new one; undefined while there is no
   * connection.
   */
  get room(): Room | undefined {
    return this.connection?.room;
  }

  /**
   * Resolves once in class.
   * @throws ClassroomRefusal if the service refuses, or livekit-client's error if the media server is unreachable
   */
  async connect(): Promise<void> {
    const signal = this.nextPhase();
    await this.close();
    await this.joinRoom(signal, ENTRY_TIMEOUT_MS, () => this.sessions.open());
  }

  async leave(): Promise<void> {
    const wasConnected = this.connection !== undefined;
    this.nextPhase();
    await this.close();
    this.sessions.current = undefined;
    if (wasConnected) this.events.emit('disconnected', { reason: 'voluntary_leave', willReconnect: false });
  }

  private async joinRoom(signal: AbortSignal, timeoutMs: number, getSession: () => Promise<ClassroomSession>): Promise<void> {
    await retryWithBackoff(
      async () => {
        const session = await getSession();
        signal.throwIfAborted();
        const connection = await Connection.open(session, this.options.room, this.listenerFor(signal));
        if (signal.aborted) await connection.close();
        signal.throwIfAborted();
        this.onConnected(connection, session);
      },
      { signal, timeoutMs, isFinal },
    );
  }

  private onConnected(connection: Connection, { participant }: ClassroomSession): void {
    this.connection = connection;
    this.isOwnRemovalReported = false;
    this.events.emit('connected', { uid: participant.uid, role: participant.role as Role });
    connection.listen();
    this.classState.start();
    this.videoQuality.start(connection.room);
    this.scheduleRenewal(this.phase.signal, this.sessions.renewAfterMs);
  }

  private scheduleRenewal(signal: AbortSignal, delay: number): void {
    clearTimeout(this.renewal);
    this.renewal = setTimeout(() => void this.renew(signal), delay);
  }

  private async renew(signal: AbortSignal): Promise<void> {
    try {
      await this.sessions.renew();
      if (!signal.aborted) this.scheduleRenewal(signal, this.sessions.renewAfterMs);
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) await this.leaveWithError(error);
      else this.scheduleRenewal(signal, RENEWAL_RETRY_MS);
    }
  }

  /** The listener for the connection of one phase. It ignores late events of an earlier phase's connection. */
  private listenerFor(signal: AbortSignal): ConnectionListener {
    const { events, roster, classState } = this;
    const whileCurrent =
      <A extends unknown[]>(handler: (...args: A) => void) =>
      (...args: A) => {
        if (!signal.aborted) handler(...args);
      };
    return {
      onParticipants: whileCurrent((participants) => roster.setParticipants(participants)),
      onJoined: whileCurrent((participant) => roster.addParticipant(participant)),
      onLeft: whileCurrent((uid) => roster.removeParticipant(uid)),
      onConnectionQualityChanged: whileCurrent((uid, quality) => events.emit('connection_quality_changed', { quality, uid })),
      onTrackSubscribed: whileCurrent((data) => events.emit('trackSubscribed', data)),
      onTrackUnsubscribed: whileCurrent((data) => events.emit('trackUnsubscribed', data)),
      onClassUpdate: whileCurrent((payload) => classState.receive(payload)),
      onReconnected: whileCurrent(() => classState.start()),
      onDisconnected: whileCurrent((reason) => void this.onDisconnected(toDisconnectedEvent(reason))),
    };
  }

  /** LiveKit may close or lose a room while the class continues, so the service decides: the client renews its session and reconnects. */
  private async onDisconnected(disconnected: ClassroomEvents['disconnected']): Promise<void> {
    const signal = this.nextPhase();
    this.connection = undefined;
    if (!disconnected.willReconnect) this.resetClass();
    if (disconnected.reason === 'participant_removed') this.reportOwnRemoval();
    this.events.emit('disconnected', disconnected);
    if (!disconnected.willReconnect || signal.aborted) return;
    try {
      await this.joinRoom(signal, Infinity, () => this.sessions.renew());
    } catch (error) {
      if (!signal.aborted) await this.leaveWithError(error);
    }
  }

  /** Handles a final refusal of the service: leaves the class and reports why. */
  private async leaveWithError(error: unknown): Promise<void> {
    this.nextPhase();
    await this.close();
    const reason = toDisconnectReason(error);
    this.events.emit('disconnected', { reason, willReconnect: false });
    if (reason === 'class_ended') this.events.emit('class_ended', { reason: (error as ClassroomRefusal).reason ?? 'class_ended' });
  }

  private async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.resetClass();
    await connection?.close();
  }

  /** The service may report the removal before LiveKit closes the connection. Reports it once. */
  private reportOwnRemoval(): void {
    const participant = this.session?.participant;
    if (!participant || this.isOwnRemovalReported) return;
    this.isOwnRemovalReported = true;
    const { uid, name, role } = participant;
    this.events.emit('participant_removed', { uid, name, role: role as Role });
  }

  private resetClass(): void {
    this.roster.clear();
    this.videoQuality.stop();
  }

  private nextPhase(): AbortSignal {
    clearTimeout(this.renewal);
    this.classState.stop();
    this.videoQuality.pause();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
