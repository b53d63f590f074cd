import type { ClassUpdate } from '@classroom/contracts';
import type { ConnectionQuality, DisconnectReason, Track } from 'livekit-client';
import { createClassroomApi } from '../session/session.js';
import { createClassStore } from '../class/class-store.js';
import { Connection, type ConnectionListener } from '../media/connection.js';
import { Devices, DEVICES, type Device } from '../media/devices.js';
import { livekit } from '../media/livekit.js';
import { People } from '../media/people.js';
import { ScreenShare } from '../media/screen-share.js';
import { retryOnline } from '../session/retry.js';
import { SessionRenewal } from '../session/session.js';
import { ApiError, type SessionClient } from '../session/session.js';
import { isTokenExpired } from '../session/tokens.js';
import { pageVisibility } from '../class/poller.js';
import { OpenQuestions } from '../tutor/open-questions.js';
import { createAppStore, type I18nText } from './app-store.js';
import { DeviceStatusReporter } from '../devices/device-status.js';
import { toFinalDisconnectedEvent, toDisconnectedEvent } from '../embed/host-events.js';
import type { HostEvents } from '../embed/host-events.js';
import { ClassActions } from './class-actions.js';
import { Consent } from '../consent/consent.js';
import { LobbyWatch } from '../lobby/lobby.js';
import { grantedDevices, seesMore } from './granted.js';
import { Measurements } from '../measuring/measurements.js';
import { Toasts } from './toasts.js';
import { Waiting } from '../waiting/waiting.js';
import { Roster } from '../people/roster.js';
import { followClass } from './follow-class.js';
import { Opening } from '../opening/opening.js';
import { isEndReason, OUTCOMES, toOutcomeReason, type OutcomeReason } from './outcomes.js';

/** How long a first entry is retried before the page reports failure, in milliseconds. A reconnection is retried without a time limit. */
const ENTRY_TIMEOUT_MS = 20_000;

const isFinal = (error: unknown) => error instanceof ApiError && !error.isRetryable;

/** A participant's stay from lobby to outcome. Each step aborts the previous one. */
export class ClassroomController implements ConnectionListener {
  readonly people = new People();
  readonly toasts;
  readonly devices;
  readonly screen;
  readonly api;
  readonly classStore;
  readonly openQuestions;
  readonly actions;
  readonly consent;
  private readonly waiting;
  private readonly measurements;
  private phase = new AbortController();
  private connection: Connection | undefined;
  private readonly renewal: SessionRenewal;
  private readonly lobby: LobbyWatch;
  private readonly roster: Roster;
  private readonly opening: Opening;

  constructor(
    readonly sessions: SessionClient,
    private readonly joinToken: string,
    readonly app: ReturnType<typeof createAppStore>,
    readonly hostEvents: HostEvents,
  ) {
    this.toasts = new Toasts(app);
    this.devices = new Devices(new DeviceStatusReporter(app, this.toasts, () => this.devices));
    this.screen = new ScreenShare(() => app.set({ isSharing: this.screen.isOn }));
    this.api = createClassroomApi(sessions.call);
    const now = () => sessions.now();
    this.classStore = createClassStore({ api: this.api, now, seesAll: () => seesMore(sessions.current?.permissions) });
    this.actions = new ClassActions({ sessions, classStore: this.classStore, toasts: this.toasts });
    this.openQuestions = new OpenQuestions(this.api, pageVisibility);
    this.consent = new Consent({
      app,
      api: this.api,
      classStore: this.classStore,
      renewSession: () => void this.renewSession(this.phase.signal),
      openSession: () => this.rejoin(),
      stopClass: () => this.stopClass(),
    });
    this.waiting = new Waiting({
      app,
      api: this.api,
      stopClass: () => this.stopClass(),
      onAdmitted: () => void this.enter(),
      onRejected: (error) => this.handleFailure(error, this.phase.signal, false),
    });
    this.measurements = new Measurements(sessions, hostEvents);
    this.roster = new Roster({
      onJoined: (participant) => {
        hostEvents.reportJoined(participant);
        this.toasts.announceNames('joined', [participant.name]);
      },
      onLeft: (participant) => hostEvents.reportLeft(participant),
    });
    this.people.subscribe(() => this.updateRoster());
    const { classStore, openQuestions, devices, toasts } = this;
    followClass({ app, classStore, openQuestions, devices, toasts, hostEvents, now });
    this.opening = new Opening({ app, sessions, enter: () => this.openSession() });
    this.renewal = new SessionRenewal(sessions, (error) => this.handleFailure(error, this.phase.signal, true));
    this.lobby = new LobbyWatch({
      api: this.api,
      sessions,
      onRejected: (error) => this.handleFailure(error, this.phase.signal, true),
    });
  }

  get room() {
    return this.connection?.room;
  }

  async start(): Promise<void> {
    if (!this.joinToken) this.showOutcome('no-token');
    else if (typeof RTCPeerConnection === 'undefined') this.showOutcome('unsupported');
    else await this.openSession();
  }

  /** Allowed by role, room or backend, or because this student was allowed to speak. */
  mayUse(device: Device): boolean {
    const session = this.sessions.current;
    if (!session) return false;
    const isSpeaker = this.classStore.getSnapshot().speakers.some(({ uid }) => uid === session.participant.uid);
    return grantedDevices(session.permissions).includes(device) || (device === 'microphone' && isSpeaker && !session.consent?.isMuted);
  }

  /** Opens a session, then shows the lobby, or joins directly if the room has none. */
  async openSession(): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'connecting.opening' });
    try {
      const session = await retryOnline(() => this.sessions.open(), { signal, timeoutMs: ENTRY_TIMEOUT_MS, isFinal });
      if (signal.aborted) return;
      this.app.set({ session });
      if (this.consent.askBefore(session) || this.waiting.begin(session)) return;
      if (session.room.customization.showLobby) {
        this.app.set({ state: 'idle', screen: 'lobby', connectingText: undefined });
        this.lobby.start();
      } else await this.join(grantedDevices(session.permissions).filter((device) => device !== 'microphone' || !session.startsMuted));
    } catch (error) {
      this.handleFailure(error, signal, false);
    }
  }

  /** From the waiting room: through the lobby, for those who may use camera and microphone, otherwise directly. */
  private async enter(): Promise<void> {
    this.sessions.invalidate();
    if (DEVICES.some((device) => this.mayUse(device))) await this.openSession();
    else await this.join([]);
  }

  async join(devices: readonly Device[]): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'connecting.connecting' });
    // The browser's permission prompt and the connection proceed in parallel.
    if (devices.length > 0) void this.devices.start(devices);
    await this.connect(signal, ENTRY_TIMEOUT_MS, () => this.sessions.open());
  }

  /** For the button of an outcome card, and after the answer to a question before the class. */
  async rejoin(): Promise<void> {
    if (this.app.get().reason === 'no-consent' && this.consent.askAgain()) return;
    this.sessions.invalidate();
    await this.openSession();
  }

  /** Call within a user gesture. */
  async setScreenShare(isOn: boolean): Promise<void> {
    try {
      await (isOn ? this.screen.start() : this.screen.stop());
    } catch (error) {
      // NotAllowedError: the user closed the browser's prompt, so no toast is needed.
      if (!(error instanceof Error && error.name === 'NotAllowedError')) this.toasts.showToast({ key: 'toast.shareFailed' });
    }
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
    if (this.room) this.measurements.follow(this.room);
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
    this.hostEvents.bridge.emit('connection_quality_changed', { uid, quality });
  }

  onLocalTrackMuted(source: Track.Source): void {
    // The page stops its own screen share and never mutes it, so a muted screen was muted by the server.
    if (source === livekit.Track.Source.ScreenShare && this.screen.isOn) {
      void this.screen.stop();
      return this.toasts.showToast({ key: 'toast.shareStopped' });
    }
    const device = DEVICES.find((one) => one === String(source));
    if (device && this.devices.handleServerMute(device)) this.toasts.showToast({ key: `toast.mutedByTeacher.${device}` });
  }

  onRightsChanged(): void {
    void this.renewSession(this.phase.signal);
  }

  onDisconnected(reason: DisconnectReason | undefined): void {
    this.connection = undefined;
    this.people.freeze();
    if (reason === livekit.DisconnectReason.PARTICIPANT_REMOVED) return this.showOutcome(this.consent.isRefused ? 'no-consent' : 'removed');
    if (reason === livekit.DisconnectReason.DUPLICATE_IDENTITY) return this.showOutcome('replaced');
    this.hostEvents.reportDisconnected(toDisconnectedEvent(reason));
    void this.reconnect();
  }

  /** LiveKit may close or lose a room while the class continues, so the service decides: the page renews its session and reconnects. */
  private async reconnect(): Promise<void> {
    const signal = this.nextPhase();
    this.showReconnecting();
    await this.connect(signal, Infinity, () => this.sessions.renew());
  }

  /** Updates the permissions after a change of role, permissions or consent, and releases devices and screen that are no longer allowed. */
  private async renewSession(signal: AbortSignal): Promise<void> {
    const before = this.sessions.current?.participant.role;
    const session = await retryOnline(() => this.sessions.renew(), { signal, timeoutMs: ENTRY_TIMEOUT_MS, isFinal }).catch(() => undefined);
    if (!session || signal.aborted) return;
    this.app.set({ session });
    this.consent.followSession(session);
    if (session.participant.role !== before) this.toasts.showToast({ key: 'toast.roleChanged' });
    await Promise.all(DEVICES.filter((device) => !this.mayUse(device)).map((device) => this.devices.revoke(device)));
    if (!session.permissions.shareScreen) await this.screen.stop();
  }

  private async connect(signal: AbortSignal, timeoutMs: number, getSession: () => ReturnType<SessionClient['open']>): Promise<void> {
    const [wasInClass, since] = [this.app.get().reconnectingSince !== undefined, performance.now()];
    const attempt = async () => {
      const session = await getSession();
      if (signal.aborted || this.consent.askBefore(session) || this.waiting.begin(session)) return;
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
    void this.devices.publishTo(connection.room);
    void this.screen.publishTo(connection.room);
    this.classStore.start();
    this.measurements.start(connection.room, joinMs);
    const { current } = this.sessions;
    if (current) this.hostEvents.reportConnected(current);
    if (current) this.consent.followSession(current);
    this.showConnected();
    connection.passOnState();
    this.renewal.start();
  }

  private handleFailure(error: unknown, signal: AbortSignal, wasInClass: boolean): void {
    if (signal.aborted) return;
    if (!(error instanceof ApiError)) return this.showOutcome('no-media');
    if (this.opening.waitFor(error)) return;
    const reason = toOutcomeReason(error, { wasInClass, isExpired: !wasInClass && isTokenExpired(this.joinToken, this.sessions.now()) });
    this.consent.takeFrom(error);
    this.showOutcome(reason, { requestId: error.requestId, endReason: error.detail('reason') });
  }

  private showOutcome(reason: OutcomeReason, { requestId, endReason }: { requestId?: string | null; endReason?: string } = {}): void {
    const wasReconnecting = this.app.get().reconnectingSince !== undefined;
    this.nextPhase();
    this.connection?.close();
    this.connection = undefined;
    this.devices.release();
    this.screen.release();
    this.classStore.stop();
    this.measurements.measuring?.stop();
    this.sessions.invalidate();
    if (reason === 'removed') this.hostEvents.reportOwnRemoval();
    this.hostEvents.reportDisconnected(toFinalDisconnectedEvent(reason), wasReconnecting);
    this.hostEvents.reportOutcome(reason, endReason);
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
      offeredBy: undefined,
      hostRequest: undefined,
      consent: undefined,
    });
    this.consent.reset();
    this.people.attachRoom(undefined);
    this.roster.reset();
  }

  private showConnecting(connectingText: I18nText): void {
    this.app.set({ state: 'connecting', screen: 'class', reason: undefined, connectingText });
  }

  private showReconnecting(): void {
    const { reconnectingSince } = this.app.get();
    if (reconnectingSince === undefined) {
      this.measurements.measuring?.meter.countReconnection();
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
    this.updateRoster();
  }

  private updateRoster(): void {
    if (this.app.get().state === 'connected') this.roster.update(this.people.get().people.filter(({ isLocal }) => !isLocal));
  }

  /** Before a question or a wait that comes before the class. */
  private stopClass(): void {
    this.nextPhase();
    this.devices.release();
    this.classStore.stop();
  }

  private nextPhase(): AbortSignal {
    this.renewal.stop();
    this.lobby.stop();
    this.opening.stop();
    this.waiting.stop();
    this.measurements.pause();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
