import type { ClassUpdate } from '@classroom/contracts';
import type { ConnectionQuality, DisconnectReason, Track } from 'livekit-client';
import { createClassStore } from '../class/class-store.js';
import { Connection, type ConnectionListener } from '../media/connection.js';
import { grantedDevices, type Device } from '../media/devices.js';
import { livekit } from '../media/livekit.js';
import { People } from '../media/people.js';
import { retryOnline } from '../session/retry.js';
import { ApiError, createClassroomApi, SessionRenewal, type ClassroomSession, type SessionClient } from '../session/session.js';
import { isTokenExpired } from '../session/tokens.js';
import type { AppState, createAppStore, I18nText } from './app-store.js';
import { isEndReason, OUTCOMES, toOutcomeReason, type OutcomeReason } from './outcomes.js';
import { Toasts } from './toasts.js';

/** The end of a stay. */
export interface Ending {
  reason: OutcomeReason;
  /** As the service reports it. */
  endReason: string | undefined;
  wasReconnecting: boolean;
}

/** How a feature takes part in a stay. Each of these is called for all parts, in the order of the features. */
export interface Part {
  /** A new session, before it is used to connect. Returns whether something comes before the class: a question, a wait, the lobby. */
  holdBack?(session: ClassroomSession, isEntry: boolean): boolean;
  /** The participant enters with these devices. */
  onJoin?(devices: readonly Device[]): void;
  /** A connection, also after a reconnection. `joinMs`: how long the entry took; undefined after a reconnection. */
  onConnection?(connection: Connection, joinMs: number | undefined): void;
  /** The state is `connected` now. */
  onConnected?(): void;
  /** Rights, role or consent have changed: the session has the new ones. */
  onSession?(session: ClassroomSession): void;
  /** An update of the class, after the class store has applied it; in the order of their versions. */
  onClassUpdate?(update: ClassUpdate): void;
  onRoomChanged?(room: Connection['room']): void;
  onQualityChanged?(uid: string, quality: ConnectionQuality): void;
  /** One of the participant's own tracks was muted, by this page or by the server. */
  onLocalTrackMuted?(source: Track.Source): void;
  onReconnecting?(): void;
  /** The connection is lost, and the page reconnects. */
  onDisconnected?(reason: DisconnectReason | undefined): void;
  /** Why the service removes the participant, if the feature knows it. */
  removalReason?(): OutcomeReason | undefined;
  /** The service refused a session. Returns whether the feature deals with it. */
  takeError?(error: ApiError): boolean;
  /** A press on the button of an outcome card. Returns whether the feature does what follows. */
  onRejoin?(reason: OutcomeReason | undefined): boolean;
  /** The next step of the stay begins: what waits for something ends. */
  onStep?(): void;
  /** Something comes before the class, also for a participant who was in it. */
  onHeldBack?(): void;
  onEnd?(ending: Ending): void;
}

/** `object`: also for a part that only follows the class. */
export type PartClass<P extends object & Part = object & Part> = new (classroom: ClassroomController) => P;

/** How long a first entry is retried before the page reports failure, in milliseconds. A reconnection is retried without a time limit. */
const ENTRY_TIMEOUT_MS = 20_000;

const isFinal = (error: unknown) => error instanceof ApiError && !error.isRetryable;

/** A participant's stay from lobby to outcome: start, connect, end. Each step aborts the previous one. What else happens in it, its parts do. */
export class ClassroomController implements ConnectionListener {
  readonly people = new People();
  readonly toasts;
  readonly api;
  readonly classStore;
  private readonly known = new Map<PartClass, Part>();
  private readonly parts: readonly Part[];
  private readonly renewal;
  private phase = new AbortController();
  private connection: Connection | undefined;

  constructor(
    readonly sessions: SessionClient,
    private readonly joinToken: string,
    readonly app: ReturnType<typeof createAppStore>,
    parts: readonly PartClass[],
  ) {
    this.toasts = new Toasts(app);
    this.api = createClassroomApi(sessions.call);
    this.classStore = createClassStore({
      api: this.api,
      now: () => sessions.now(),
      // Private messages and reports, or the votes of a poll that hides its result.
      seesAll: () => !!(sessions.current?.permissions.manageParticipants || sessions.current?.permissions.managePolls),
    });
    this.renewal = new SessionRenewal(sessions, (error) => this.fail(error, true));
    this.parts = parts.map((part) => this.get(part));
    this.classStore.onUpdate((update) => {
      for (const part of this.parts) part.onClassUpdate?.(update);
    });
  }

  /** The part of a feature in this stay. */
  get<P extends object & Part>(PartOf: PartClass<P>): P {
    const part = (this.known.get(PartOf) as P | undefined) ?? new PartOf(this);
    this.known.set(PartOf, part);
    return part;
  }

  /** Does what a participant pressed a button for. A failure is shown as a toast. */
  readonly attempt = async (action: () => Promise<unknown>, failureKey: string): Promise<void> => {
    try {
      await action();
    } catch {
      this.toasts.showToast({ key: failureKey });
    }
  };

  /** Opens a dialog over the class when it is loaded: few participants use it. */
  readonly openDialog = (load: () => Promise<NonNullable<AppState['opened']>>): void =>
    void this.attempt(async () => this.app.set({ opened: await load() }), 'toast.actionFailed');

  async start(): Promise<void> {
    if (!this.joinToken) this.showOutcome('no-token');
    else if (typeof RTCPeerConnection === 'undefined') this.showOutcome('unsupported');
    else await this.openSession();
  }

  /** Opens a session, then joins, unless something comes before the class. */
  async openSession(): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'connecting.opening' });
    try {
      const session = await retryOnline(() => this.sessions.open(), { signal, timeoutMs: ENTRY_TIMEOUT_MS, isFinal });
      if (signal.aborted) return;
      this.app.set({ session });
      if (this.holdsBack(session, true)) return;
      await this.join(grantedDevices(session.permissions).filter((device) => device !== 'microphone' || !session.startsMuted));
    } catch (error) {
      this.handleFailure(error, signal, false);
    }
  }

  async join(devices: readonly Device[]): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'connecting.connecting' });
    for (const part of this.parts) part.onJoin?.(devices);
    await this.connect(signal, ENTRY_TIMEOUT_MS, () => this.sessions.open());
  }

  /** For the button of an outcome card, and after the answer to a question before the class. */
  async rejoin(): Promise<void> {
    const { reason } = this.app.get();
    if (this.parts.some((part) => part.onRejoin?.(reason))) return;
    this.sessions.invalidate();
    await this.openSession();
  }

  startAudio(): void {
    void this.connection?.startAudio();
  }

  leave(): void {
    this.showOutcome('left');
  }

  /** @returns whether this participant ended it, also if LiveKit's disconnect came before the answer */
  async endClass(): Promise<boolean> {
    const { signal } = this.phase;
    try {
      await this.api.endClass();
      if (!signal.aborted) this.showOutcome('ended', { endReason: 'class_ended' });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof ApiError && error.code === 'ROOM_ENDED') this.showOutcome('ended', { endReason: error.detail('reason') });
      else this.toasts.showToast({ key: 'toast.notEnded' });
      return false;
    }
  }

  /** For a page that is being closed: the others see the departure immediately instead of after LiveKit's timeout. */
  disconnect(): void {
    this.nextPhase();
    this.connection?.close();
  }

  onRoomChanged(): void {
    const { room } = this.connection ?? {};
    if (room) for (const part of this.parts) part.onRoomChanged?.(room);
    this.people.scheduleUpdate();
  }

  onReconnecting(isReconnecting: boolean): void {
    if (isReconnecting) this.showReconnecting();
    else this.showConnected();
  }

  onAudioBlocked(isBlocked: boolean): void {
    this.toasts.showAudioBlocked(isBlocked);
  }

  onClassUpdate(update: ClassUpdate): void {
    this.classStore.receive(update);
  }

  onQualityChanged(uid: string, quality: ConnectionQuality): void {
    for (const part of this.parts) part.onQualityChanged?.(uid, quality);
  }

  onLocalTrackMuted(source: Track.Source): void {
    for (const part of this.parts) part.onLocalTrackMuted?.(source);
  }

  onRightsChanged(): void {
    void this.renewSession();
  }

  onDisconnected(reason: DisconnectReason | undefined): void {
    this.connection = undefined;
    this.people.freeze();
    const { PARTICIPANT_REMOVED, DUPLICATE_IDENTITY } = livekit.DisconnectReason;
    if (reason === PARTICIPANT_REMOVED) {
      const known = this.parts.map((part) => part.removalReason?.()).find((one) => one !== undefined);
      return this.showOutcome(known ?? 'removed');
    }
    if (reason === DUPLICATE_IDENTITY) return this.showOutcome('replaced');
    for (const part of this.parts) part.onDisconnected?.(reason);
    void this.reconnect();
  }

  /** Updates the permissions after a change of role, permissions or consent. */
  async renewSession(): Promise<void> {
    const { signal } = this.phase;
    const before = this.sessions.current?.participant.role;
    const session = await retryOnline(() => this.sessions.renew(), { signal, timeoutMs: ENTRY_TIMEOUT_MS, isFinal }).catch(() => undefined);
    if (!session || signal.aborted) return;
    this.app.set({ session });
    if (session.participant.role !== before) this.toasts.showToast({ key: 'toast.roleChanged' });
    for (const part of this.parts) part.onSession?.(session);
  }

  /** Before a question or a wait that comes before the class. */
  stopClass(): void {
    this.nextPhase();
    for (const part of this.parts) part.onHeldBack?.();
    this.classStore.stop();
  }

  /** The service refuses what a part asked for. `wasInClass`: after the participant had a session. */
  fail(error: ApiError, wasInClass: boolean): void {
    this.handleFailure(error, this.phase.signal, wasInClass);
  }

  private holdsBack(session: ClassroomSession, isEntry: boolean): boolean {
    return this.parts.some((part) => part.holdBack?.(session, isEntry));
  }

  /** LiveKit may close or lose a room while the class continues, so the service decides: the page renews its session and reconnects. */
  private async reconnect(): Promise<void> {
    const signal = this.nextPhase();
    this.showReconnecting();
    await this.connect(signal, Infinity, () => this.sessions.renew());
  }

  private async connect(signal: AbortSignal, timeoutMs: number, getSession: () => ReturnType<SessionClient['open']>): Promise<void> {
    const [wasInClass, since] = [this.app.get().reconnectingSince !== undefined, performance.now()];
    const attempt = async () => {
      const session = await getSession();
      if (signal.aborted || this.holdsBack(session, false)) return;
      const connection = await Connection.open(session, this).catch((error: unknown) => {
        // The room may be gone, or the token too old. A new session fixes both.
        this.sessions.invalidate();
        throw error;
      });
      if (signal.aborted) return connection.close();
      this.connection = connection;
      this.app.set({ session });
      this.onConnected(connection, wasInClass ? undefined : performance.now() - since);
    };
    try {
      await retryOnline(attempt, { signal, timeoutMs, isFinal });
    } catch (error) {
      this.handleFailure(error, signal, wasInClass);
    }
  }

  private onConnected(connection: Connection, joinMs: number | undefined): void {
    this.classStore.start();
    for (const part of this.parts) part.onConnection?.(connection, joinMs);
    this.showConnected();
    connection.passOnState();
    this.renewal.start();
  }

  private handleFailure(error: unknown, signal: AbortSignal, wasInClass: boolean): void {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) return this.showOutcome('no-media');
    if (this.parts.some((part) => part.takeError?.(error))) return;
    const reason = toOutcomeReason(error, { wasInClass, isExpired: !wasInClass && isTokenExpired(this.joinToken, this.sessions.now()) });
    this.showOutcome(reason, { requestId: error.requestId, endReason: error.detail('reason') });
  }

  private showOutcome(reason: OutcomeReason, { requestId, endReason }: { requestId?: string | null; endReason?: string } = {}): void {
    const wasReconnecting = this.app.get().reconnectingSince !== undefined;
    this.nextPhase();
    this.connection?.close();
    this.connection = undefined;
    this.classStore.stop();
    this.sessions.invalidate();
    for (const part of this.parts) part.onEnd?.({ reason, endReason, wasReconnecting });
    this.toasts.clear();
    this.app.set({
      state: OUTCOMES[reason].state,
      screen: 'outcome',
      reason,
      endReason: isEndReason(endReason) ? endReason : undefined,
      requestId,
      reconnectingSince: undefined,
      isAudioBlocked: false,
      dialog: undefined,
      tab: undefined,
      pinned: undefined,
    });
    this.people.attachRoom(undefined);
  }

  private showConnecting(connectingText: I18nText): void {
    this.app.set({ state: 'connecting', screen: 'class', reason: undefined, connectingText });
  }

  private showReconnecting(): void {
    const { reconnectingSince } = this.app.get();
    if (reconnectingSince === undefined) {
      for (const part of this.parts) part.onReconnecting?.();
      this.toasts.announce({ key: 'announcement.reconnecting' });
    }
    this.app.set({ state: 'reconnecting', screen: 'class', connectingText: undefined, reconnectingSince: reconnectingSince ?? Date.now() });
  }

  private showConnected(): void {
    const { connection } = this;
    if (!connection) return;
    // Takes over the participants who joined or left in the meantime, before anything is announced.
    this.people.attachRoom(connection.room);
    const { reconnectingSince, startedAt: known } = this.app.get();
    const startedAt = this.sessions.current?.room.startedAt;
    if (reconnectingSince !== undefined) {
      this.toasts.announce({ key: 'announcement.reconnected' });
      void this.classStore.refresh();
    }
    this.app.set({
      state: 'connected',
      screen: 'class',
      connectingText: undefined,
      reconnectingSince: undefined,
      startedAt: startedAt ? Date.parse(startedAt) : (known ?? connection.firstJoinedAt()),
    });
    for (const part of this.parts) part.onConnected?.();
  }

  private nextPhase(): AbortSignal {
    this.renewal.stop();
    for (const part of this.parts) part.onStep?.();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
