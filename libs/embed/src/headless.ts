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

/** The events of a class without a page. */
export type HeadlessEvents = Omit<ClassroomEvents, 'state_changed' | 'error'> & {
  trackSubscribed: TrackData;
  trackUnsubscribed: TrackData;
};

export interface HeadlessOptions extends SessionOptions {
  /** For livekit-client's Room. */
  room?: RoomOptions;
}

/** So long a first entry is tried; coming back has no such end. */
const ENTRY_MS = 20_000;
const RENEWAL_RETRY_MS = 15_000;

const isFinal = (error: unknown) => error instanceof ClassroomRefusal && !error.isPassing;

/** A class without our page: its events and tracks, for an interface of one's own. Every step aborts the one before. */
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

  /** Answers how to stop listening. */
  on<T extends keyof HeadlessEvents>(type: T, listener: (data: HeadlessEvents[T]) => void): () => void {
    return this.events.on(type, listener);
  }

  /** Who we are, where, and what our role allows; undefined before `connect`. */
  get session(): ClassroomSession | undefined {
    return this.sessions.current;
  }

  /** Everyone else who is in class. */
  get participants(): ParticipantData[] {
    return this.roster.list();
  }

  /** livekit-client's, for publishing and everything else. Another one after each reconnection; undefined in between. */
  get room(): Room | undefined {
    return this.connection?.room;
  }

  /** Resolves once in class. @throws ClassroomRefusal, or livekit-client's error where media can't get through */
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

  /** Of one phase's connection: what an earlier one says late is not heard. */
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

  /** The service says whether the class goes on; that LiveKit closed or lost a room is no end of it. */
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

  /** The service has said the last word. */
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

  /** The service may say it before LiveKit ends the connection: once is enough. */
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
