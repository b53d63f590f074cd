import type { ClassUpdate } from '@classroom/contracts';
import type { Role } from '@virtual-classroom/embed';
import { VideoQualityWatch } from '@virtual-classroom/embed/video-quality';
import { DisconnectReason, isBrowserSupported, Track, type ConnectionQuality } from 'livekit-client';
import { createClassroomApi } from '../class/api.js';
import { createClassStore } from '../class/class-store.js';
import { LobbyWatch } from '../class/lobby-watch.js';
import { Connection, type ConnectionListener } from '../media/connection.js';
import { Devices, DEVICES, type Device } from '../media/devices.js';
import { People } from '../media/people.js';
import { ScreenShare } from '../media/screen-share.js';
import { persist } from '../session/persist.js';
import { Renewal } from '../session/renewal.js';
import { Refusal, type SessionClient } from '../session/session.js';
import { isOver } from '../session/token.js';
import { pageVisibility } from '../class/page-visibility.js';
import { WaitingQuestions } from '../class/waiting-questions.js';
import { createAppStore, type Words } from './app-store.js';
import { DeviceReports } from './device-reports.js';
import { afterEnd, afterLoss } from './host-words.js';
import type { Host } from './host.js';
import { Lines } from './lines.js';
import { followHands } from './hands.js';
import { Roster } from './roster.js';
import { followSpeaking } from './speaking.js';
import { isEnding, OUTCOMES, reasonOf, type Reason } from './states.js';

/** How long a first entry is retried before the page reports failure, in milliseconds. A reconnection is retried without a time limit. */
const ENTRY_MS = 20_000;

const isFinal = (error: unknown) => error instanceof Refusal && !error.isPassing;

/** A participant's stay from lobby to outcome. Each step aborts the previous one. */
export class Visit implements ConnectionListener {
  readonly people = new People();
  readonly lines;
  readonly devices;
  readonly screen;
  readonly api;
  readonly classStore;
  readonly waiting;
  private readonly videos;
  private phase = new AbortController();
  private connection: Connection | undefined;
  private readonly renewal: Renewal;
  private readonly lobby: LobbyWatch;
  private readonly roster: Roster;

  constructor(
    readonly sessions: SessionClient,
    private readonly joinToken: string,
    readonly app: ReturnType<typeof createAppStore>,
    private readonly host: Host,
  ) {
    this.lines = new Lines(app);
    this.devices = new Devices(new DeviceReports(app, this.lines, () => this.devices));
    this.screen = new ScreenShare(() => app.set({ isSharing: this.screen.isOn }));
    this.api = createClassroomApi(sessions.call);
    this.classStore = createClassStore({ api: this.api, now: () => sessions.now() });
    this.waiting = new WaitingQuestions(this.api, pageVisibility);
    this.videos = new VideoQualityWatch((change) => host.bridge.emit('quality_changed', change));
    this.roster = new Roster({
      joined: (who) => {
        host.joined(who);
        this.lines.arrived(who.name);
      },
      left: (who) => host.left(who),
    });
    this.people.subscribe(() => this.lookAround());
    followHands(app, this.classStore, this.lines);
    followSpeaking({ app, classStore: this.classStore, devices: this.devices, lines: this.lines });
    this.classStore.onRemoval((removal) => this.host.removal({ ...removal, role: removal.role as Role }));
    this.classStore.onRecording((kind, recording) => {
      this.host.bridge.emit(`recording_${kind}`, recording);
      this.lines.say({ key: `said.recording.${kind}` });
    });
    this.renewal = new Renewal(sessions, (refusal) => this.fail(refusal, this.phase.signal, true));
    this.lobby = new LobbyWatch({
      ask: (after) => this.api.getClassState({ after }),
      visibility: pageVisibility,
      refused: (refusal) => this.refusedInLobby(refusal),
    });
  }

  get room() {
    return this.connection?.room;
  }

  async begin(): Promise<void> {
    if (!this.joinToken) this.finish('no-token');
    else if (!isBrowserSupported()) this.finish('unsupported');
    else await this.open();
  }

  /** Allowed by role, or because this student was allowed to speak. */
  mayUse(device: Device): boolean {
    const session = this.sessions.current;
    if (!session) return false;
    const isSpeaker = this.classStore.getSnapshot().speakers.some(({ uid }) => uid === session.participant.uid);
    return session.permissions.publish || (device === 'microphone' && isSpeaker);
  }

  /** Opens a session, then shows the lobby, or joins directly if the room has none. */
  async open(): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'line.opening' });
    try {
      const session = await persist(() => this.sessions.open(), { signal, patienceMs: ENTRY_MS, isFinal });
      if (signal.aborted) return;
      this.app.set({ session });
      if (session.room.customization.showLobby) {
        this.app.set({ state: 'idle', screen: 'lobby', line: undefined });
        this.lobby.start();
      } else await this.join(session.permissions.publish ? DEVICES : []);
    } catch (error) {
      this.fail(error, signal, false);
    }
  }

  async join(devices: readonly Device[]): Promise<void> {
    const signal = this.nextPhase();
    this.showConnecting({ key: 'line.connecting' });
    // The browser's permission prompt and the connection proceed in parallel.
    if (devices.length > 0) void this.devices.start(devices);
    await this.enter(signal, ENTRY_MS, () => this.sessions.open());
  }

  /** For the button of an outcome card. */
  async again(): Promise<void> {
    this.sessions.distrust();
    await this.open();
  }

  /** Call within a user gesture. */
  async share(isOn: boolean): Promise<void> {
    try {
      await (isOn ? this.screen.start() : this.screen.stop());
    } catch (error) {
      // NotAllowedError: the user closed the browser's prompt, so no notice is needed.
      if (!(error instanceof Error && error.name === 'NotAllowedError')) this.lines.show({ key: 'notice.shareFailed' });
    }
  }

  async raiseHand(isUp: boolean): Promise<void> {
    const self = this.sessions.current?.participant;
    if (self) await this.attempt(() => this.classStore.raiseHand(isUp, self), 'notice.handFailed');
  }

  async record(isOn: boolean): Promise<void> {
    if (isOn) await this.attempt(() => this.api.startRecordingInClass(), 'notice.recordFailed');
    else await this.attempt(() => this.api.stopRecordingInClass(), 'notice.stopRecordFailed');
    void this.classStore.refresh();
  }

  /** Runs an action of the class, and shows a notice if it fails. */
  async attempt(deed: () => Promise<unknown>, failure: string): Promise<void> {
    try {
      await deed();
    } catch {
      this.lines.show({ key: failure });
    }
  }

  startSound(): void {
    void this.connection?.startSound();
  }

  leave(): void {
    this.finish('left');
  }

  async endClass(): Promise<void> {
    const { signal } = this.phase;
    try {
      await this.api.endClass();
      if (!signal.aborted) this.finish('ended', { ending: 'class_ended' });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.code === 'ROOM_ENDED') this.finish('ended', { ending: error.detail('reason') });
      else this.lines.show({ key: 'notice.notEnded' });
    }
  }

  /** For a page that is being closed: the others see the departure immediately instead of after LiveKit's timeout. */
  hangUp(): void {
    this.nextPhase();
    this.connection?.close();
  }

  changed(): void {
    this.people.changed();
  }

  reconnecting(isReconnecting: boolean): void {
    if (isReconnecting) this.away();
    else this.back();
  }

  soundBlocked(isBlocked: boolean): void {
    this.app.set({ isSoundBlocked: isBlocked });
  }

  received(update: ClassUpdate): void {
    this.classStore.receive(update);
  }

  connectionQualityChanged(uid: string, quality: ConnectionQuality): void {
    this.host.bridge.emit('connection_quality_changed', { uid, quality });
  }

  muted(source: Track.Source): void {
    // The page stops its own screen share and never mutes it, so a muted screen was muted by the server.
    if (source === Track.Source.ScreenShare && this.screen.isOn) {
      void this.screen.stop();
      return this.lines.show({ key: 'notice.shareStopped' });
    }
    const device = source === Track.Source.Microphone ? 'microphone' : source === Track.Source.Camera ? 'camera' : undefined;
    if (device && this.devices.wasMuted(device)) this.lines.show({ key: `notice.mutedByTeacher.${device}` });
  }

  roleChanged(): void {
    void this.takeRole(this.phase.signal);
  }

  lost(reason: DisconnectReason | undefined): void {
    this.connection = undefined;
    this.people.hold();
    if (reason === DisconnectReason.PARTICIPANT_REMOVED) return this.finish('removed');
    if (reason === DisconnectReason.DUPLICATE_IDENTITY) return this.finish('replaced');
    this.host.disconnected(afterLoss(reason));
    void this.comeBack();
  }

  /** LiveKit may close or lose a room while the class continues, so the service decides: the page renews its session and reconnects. */
  private async comeBack(): Promise<void> {
    const signal = this.nextPhase();
    this.away();
    await this.enter(signal, Infinity, () => this.sessions.renew());
  }

  /** Updates the permissions after a role change, and releases devices and screen if the new role does not allow them. */
  private async takeRole(signal: AbortSignal): Promise<void> {
    const before = this.sessions.current?.participant.role;
    const session = await persist(() => this.sessions.renew(), { signal, patienceMs: ENTRY_MS, isFinal }).catch(() => undefined);
    if (!session || signal.aborted || session.participant.role === before) return;
    this.app.set({ session });
    this.lines.show({ key: 'notice.roleChanged' });
    if (session.permissions.publish) return;
    await Promise.all(DEVICES.map((device) => this.devices.withdraw(device)));
    await this.screen.stop();
  }

  private async enter(signal: AbortSignal, patienceMs: number, obtain: () => ReturnType<SessionClient['open']>): Promise<void> {
    const wasIn = this.app.get().awaySince !== undefined;
    const attempt = async () => {
      const session = await obtain();
      if (signal.aborted) return;
      const connection = await Connection.open(session, this).catch((error: unknown) => {
        // The room may be gone, or the token too old. A new session fixes both.
        this.sessions.distrust();
        throw error;
      });
      if (signal.aborted) return connection.close();
      this.connection = connection;
      this.app.set({ session });
      this.entered(connection);
    };
    try {
      await persist(attempt, { signal, patienceMs, isFinal });
    } catch (error) {
      this.fail(error, signal, wasIn);
    }
  }

  private entered({ room }: Connection): void {
    void this.devices.enter(room);
    void this.screen.enter(room);
    this.classStore.start();
    this.videos.start(room);
    if (this.sessions.current) this.host.connected(this.sessions.current);
    this.back();
    this.renewal.start();
  }

  /** A session that expired in the lobby is not a refusal: pressing Join opens a new one. */
  private refusedInLobby(refusal: Refusal): void {
    const { current } = this.sessions;
    const isOver = refusal.code === 'UNAUTHORIZED' && current !== undefined && Date.parse(current.expiresAt) <= this.sessions.now();
    if (!isOver) this.fail(refusal, this.phase.signal, true);
  }

  private fail(error: unknown, signal: AbortSignal, wasIn: boolean): void {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) return this.finish('no-media');
    const isExpired = !wasIn && isOver(this.joinToken, this.sessions.now());
    const { requestId } = error;
    this.finish(reasonOf(error, { wasIn, isExpired }), { requestId, ending: error.detail('reason') });
  }

  private finish(reason: Reason, { requestId, ending }: { requestId?: string | null; ending?: string } = {}): void {
    const wasComingBack = this.app.get().awaySince !== undefined;
    this.nextPhase();
    this.connection?.close();
    this.connection = undefined;
    this.devices.release();
    this.screen.release();
    this.classStore.stop();
    this.videos.stop();
    this.sessions.distrust();
    if (reason === 'removed') this.host.ownRemoval();
    this.host.disconnected(afterEnd(reason), wasComingBack);
    this.host.finished(reason, ending);
    this.lines.clear();
    this.app.set({
      state: OUTCOMES[reason].state,
      screen: 'outcome',
      reason,
      ending: isEnding(ending) ? ending : undefined,
      requestId,
      awaySince: undefined,
      isSoundBlocked: false,
      tab: undefined,
      pinned: undefined,
      offeredBy: undefined,
    });
    this.people.follow(undefined);
    this.roster.forget();
  }

  private showConnecting(line: Words): void {
    this.app.set({ state: 'connecting', screen: 'class', reason: undefined, line });
  }

  private away(): void {
    const { awaySince } = this.app.get();
    if (awaySince === undefined) this.lines.say({ key: 'said.away' });
    this.app.set({ state: 'reconnecting', screen: 'class', line: undefined, awaySince: awaySince ?? Date.now() });
  }

  private back(): void {
    const { connection } = this;
    if (!connection) return;
    // Takes over the participants who joined or left in the meantime, before anything is announced.
    this.people.follow(connection.room);
    const { awaySince, startedAt: known } = this.app.get();
    const startedAt = this.sessions.current?.room.startedAt;
    if (awaySince !== undefined) {
      this.lines.say({ key: 'said.back' });
      void this.classStore.refresh();
    }
    this.app.set({
      state: 'connected',
      screen: 'class',
      line: undefined,
      awaySince: undefined,
      startedAt: startedAt ? Date.parse(startedAt) : (known ?? connection.firstJoin()),
    });
    this.lookAround();
  }

  private lookAround(): void {
    if (this.app.get().state === 'connected') this.roster.look(this.people.get().people.filter(({ isLocal }) => !isLocal));
  }

  private nextPhase(): AbortSignal {
    this.renewal.stop();
    this.lobby.stop();
    this.videos.pause();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
