import type { Room, RoomOptions } from 'livekit-client';
import { Emitter } from './emitter.js';
import { ClassWatch } from './headless/class-watch.js';
import { Connection, type ConnectionListener, type TrackData, type TrackSource } from './headless/connection.js';
import { afterLoss, afterRefusal } from './headless/reasons.js';
import { ClassroomRefusal } from './headless/refusal.js';
import type { ClassroomSession, Permissions } from './headless/responses.js';
import { Roster } from './headless/roster.js';
import { SessionClient, type SessionOptions } from './headless/session-client.js';
import { persist } from './persist.js';
import type { ClassroomEvents, ParticipantData, Role } from './protocol.js';
import { VideoQualityWatch } from './video-quality.js';

export { ClassroomRefusal, type ClassroomSession, type Permissions, type TrackData, type TrackSource };

/** The events of a class without the classroom page. */
export type HeadlessEvents = Omit<ClassroomEvents, 'state_changed' | 'error'> & {
  trackSubscribed: TrackData;
  trackUnsubscribed: TrackData;
};

export interface HeadlessOptions extends SessionOptions {
  /** Options for livekit-client's Room. */
  room?: RoomOptions;
}

/** How long the first entry is retried, in milliseconds. A reconnection is retried without a time limit. */
const ENTRY_MS = 20_000;
const RENEWAL_RETRY_MS = 15_000;

const isFinal = (error: unknown) => error instanceof ClassroomRefusal && !error.isPassing;

/** A class without the classroom page: its events and tracks, for a custom user interface. Each step aborts the previous one. */
export class HeadlessClassroom {
  private readonly events = new Emitter<HeadlessEvents>();
  private readonly sessions: SessionClient;
  private readonly roster = new Roster({
    joined: (participant) => this.events.emit('participant_joined', participant),
    left: (participant) => this.events.emit('participant_left', participant),
  });
  private readonly watch: ClassWatch;
  private readonly videos = new VideoQualityWatch((change) => this.events.emit('quality_changed', change));
  private phase = new AbortController();
  private connection: Connection | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  private isOwnRemovalReported = false;

  constructor(private readonly options: HeadlessOptions) {
    this.sessions = new SessionClient(options);
    this.watch = new ClassWatch((after) => this.sessions.state(after), {
      removed: ({ uid, name, role }) => {
        if (uid === this.session?.participant.uid) return this.ownRemoval();
        this.roster.wasRemoved(uid);
        this.events.emit('participant_removed', { uid, name, role: role as Role });
      },
      recordingStarted: ({ egressId, status }) => this.events.emit('recording_started', { egressId, status }),
      recordingStopped: ({ egressId, status }) => this.events.emit('recording_stopped', { egressId, status }),
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
    await this.enter(signal, ENTRY_MS, () => this.sessions.open());
  }

  async leave(): Promise<void> {
    const wasIn = this.connection !== undefined;
    this.nextPhase();
    await this.close();
    this.sessions.current = undefined;
    if (wasIn) this.events.emit('disconnected', { reason: 'voluntary_leave', willReconnect: false });
  }

  private async enter(signal: AbortSignal, patienceMs: number, obtain: () => Promise<ClassroomSession>): Promise<void> {
    await persist(
      async () => {
        const session = await obtain();
        signal.throwIfAborted();
        const connection = await Connection.open(session, this.options.room, this.listenerFor(signal));
        if (signal.aborted) await connection.close();
        signal.throwIfAborted();
        this.begin(connection, session);
      },
      { signal, patienceMs, isFinal },
    );
  }

  private begin(connection: Connection, { participant }: ClassroomSession): void {
    this.connection = connection;
    this.isOwnRemovalReported = false;
    this.events.emit('connected', { uid: participant.uid, role: participant.role as Role });
    connection.listen();
    this.watch.start();
    this.videos.start(connection.room);
    this.renewLater(this.phase.signal, this.sessions.halfLife);
  }

  private renewLater(signal: AbortSignal, delay: number): void {
    clearTimeout(this.renewal);
    this.renewal = setTimeout(() => void this.renew(signal), delay);
  }

  private async renew(signal: AbortSignal): Promise<void> {
    try {
      await this.sessions.renew();
      if (!signal.aborted) this.renewLater(signal, this.sessions.halfLife);
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) await this.end(error);
      else this.renewLater(signal, RENEWAL_RETRY_MS);
    }
  }

  /** The listener for the connection of one phase. It ignores late events of an earlier phase's connection. */
  private listenerFor(signal: AbortSignal): ConnectionListener {
    const { events, roster, watch } = this;
    const inTime =
      <A extends unknown[]>(hear: (...told: A) => void) =>
      (...told: A) => {
        if (!signal.aborted) hear(...told);
      };
    return {
      found: inTime((participants) => roster.found(participants)),
      joined: inTime((participant) => roster.joined(participant)),
      left: inTime((uid) => roster.left(uid)),
      connectionQualityChanged: inTime((uid, quality) => events.emit('connection_quality_changed', { quality, uid })),
      trackSubscribed: inTime((data) => events.emit('trackSubscribed', data)),
      trackUnsubscribed: inTime((data) => events.emit('trackUnsubscribed', data)),
      pushed: inTime((payload) => watch.receive(payload)),
      resumed: inTime(() => watch.start()),
      lost: inTime((reason) => void this.lost(afterLoss(reason))),
    };
  }

  /** LiveKit may close or lose a room while the class continues, so the service decides: the client renews its session and reconnects. */
  private async lost(disconnected: ClassroomEvents['disconnected']): Promise<void> {
    const signal = this.nextPhase();
    this.connection = undefined;
    if (!disconnected.willReconnect) this.forget();
    if (disconnected.reason === 'participant_removed') this.ownRemoval();
    this.events.emit('disconnected', disconnected);
    if (!disconnected.willReconnect || signal.aborted) return;
    try {
      await this.enter(signal, Infinity, () => this.sessions.renew());
    } catch (error) {
      if (!signal.aborted) await this.end(error);
    }
  }

  /** Handles a final refusal of the service: leaves the class and reports why. */
  private async end(error: unknown): Promise<void> {
    this.nextPhase();
    await this.close();
    const reason = afterRefusal(error);
    this.events.emit('disconnected', { reason, willReconnect: false });
    if (reason === 'class_ended') this.events.emit('class_ended', { reason: (error as ClassroomRefusal).reason ?? 'class_ended' });
  }

  private async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    this.forget();
    await connection?.close();
  }

  /** The service may report the removal before LiveKit closes the connection. Reports it once. */
  private ownRemoval(): void {
    const participant = this.session?.participant;
    if (!participant || this.isOwnRemovalReported) return;
    this.isOwnRemovalReported = true;
    const { uid, name, role } = participant;
    this.events.emit('participant_removed', { uid, name, role: role as Role });
  }

  private forget(): void {
    this.roster.clear();
    this.videos.stop();
  }

  private nextPhase(): AbortSignal {
    clearTimeout(this.renewal);
    this.watch.stop();
    this.videos.pause();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
