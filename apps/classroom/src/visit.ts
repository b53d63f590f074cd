import { DisconnectReason } from 'livekit-client';
import { Connection, type ConnectionListener } from './connection.js';
import { Devices, DEVICES, type Device } from './devices.js';
import { persist } from './persist.js';
import { Renewal } from './renewal.js';
import { isOver, Refusal, type SessionClient } from './session.js';
import { reasonOf, type Reason } from './states.js';
import type { View } from './view.js';

/** So long a first entry is tried before the page says that it can't; coming back has no such end. */
const ENTRY_MS = 20_000;
/** Several changes at once are drawn as one. */
const REFRESH_MS = 50;

const isFinal = (error: unknown) => error instanceof Refusal && !error.isPassing;

/** One person's stay: lobby, class, what comes between, end. Every step aborts the one before. */
export class Visit implements ConnectionListener {
  private phase = new AbortController();
  private connection: Connection | undefined;
  private readonly devices = new Devices({
    changed: () => this.view.showDevices((device) => this.devices.isOn(device)),
    failed: (devices) => this.view.showPassing(`Your ${devices.join(' and ')} can’t be used. Check what is connected and allowed for this page.`),
  });
  private readonly renewal: Renewal;
  private refresh: ReturnType<typeof setTimeout> | undefined;
  private startedAt: number | undefined;
  private awaySince: number | undefined;

  constructor(
    private readonly sessions: SessionClient,
    private readonly joinToken: string,
    private readonly view: View,
  ) {
    this.renewal = new Renewal(sessions, (refusal) => this.fail(refusal, this.phase.signal, true));
    setInterval(() => this.tick(), 1000);
  }

  /** From the link to the lobby, or straight in where the room has none. */
  async open(): Promise<void> {
    const signal = this.nextPhase();
    this.view.showClass('connecting', 'Opening the classroom…');
    try {
      const session = await persist(() => this.sessions.open(), { signal, patienceMs: ENTRY_MS, isFinal });
      if (signal.aborted) return;
      this.view.dress(session);
      if (session.room.customization.showLobby) this.view.showLobby(session);
      else await this.join(session.permissions.publish ? DEVICES : []);
    } catch (error) {
      this.fail(error, signal, false);
    }
  }

  async join(devices: readonly Device[]): Promise<void> {
    const signal = this.nextPhase();
    this.view.showClass('connecting', 'Connecting…');
    this.view.showDevices((device) => this.devices.isOn(device));
    // The browser's question and the connection go side by side.
    if (devices.length > 0) void this.devices.start(devices);
    await this.enter(signal, ENTRY_MS, () => this.sessions.open());
  }

  /** After a card whose button says so. */
  async again(): Promise<void> {
    this.sessions.distrust();
    await this.open();
  }

  toggle(device: Device): void {
    void this.devices.set(device, !this.devices.isOn(device));
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
      await this.sessions.endClass();
      if (!signal.aborted) this.finish('ended');
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.code === 'ROOM_ENDED') this.finish('ended');
      else this.view.showPassing('The class could not be ended. Try again in a moment.');
    }
  }

  /** The page goes away: the others see it at once instead of after LiveKit's time-out. */
  hangUp(): void {
    this.nextPhase();
    this.connection?.close();
  }

  changed(): void {
    this.refresh ??= setTimeout(() => {
      this.refresh = undefined;
      if (this.connection) this.view.showPeople(this.connection.people());
    }, REFRESH_MS);
  }

  reconnecting(isReconnecting: boolean): void {
    if (isReconnecting) this.away();
    else this.back();
  }

  soundBlocked(isBlocked: boolean): void {
    this.view.showSoundBlocked(isBlocked);
  }

  lost(reason: DisconnectReason | undefined): void {
    this.connection = undefined;
    if (reason === DisconnectReason.PARTICIPANT_REMOVED) this.finish('removed');
    else if (reason === DisconnectReason.DUPLICATE_IDENTITY) this.finish('replaced');
    else void this.comeBack();
  }

  /** The service says whether the class goes on; a room that LiveKit closed or lost is no end of it. */
  private async comeBack(): Promise<void> {
    const signal = this.nextPhase();
    this.away();
    await this.enter(signal, Infinity, () => this.sessions.renew());
  }

  private async enter(signal: AbortSignal, patienceMs: number, obtain: () => ReturnType<SessionClient['open']>): Promise<void> {
    const wasIn = this.awaySince !== undefined;
    const attempt = async () => {
      const session = await obtain();
      if (signal.aborted) return;
      const connection = await Connection.open(session, this.devices, this).catch((error: unknown) => {
        // The room may be gone or the token too old: a new session mends both.
        this.sessions.distrust();
        throw error;
      });
      if (signal.aborted) return connection.close();
      this.connection = connection;
      this.back();
      this.renewal.start();
    };
    try {
      await persist(attempt, { signal, patienceMs, isFinal });
    } catch (error) {
      this.fail(error, signal, wasIn);
    }
  }

  private fail(error: unknown, signal: AbortSignal, wasIn: boolean): void {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) return this.finish('no-media');
    const isExpired = !wasIn && isOver(this.joinToken, this.sessions.now());
    this.finish(reasonOf(error, { wasIn, isExpired }), error.requestId);
  }

  private finish(reason: Reason, requestId?: string | null): void {
    this.nextPhase();
    this.connection?.close();
    this.connection = undefined;
    this.devices.release();
    this.awaySince = undefined;
    this.sessions.distrust();
    this.view.showOutcome(reason, requestId);
  }

  private away(): void {
    if (this.awaySince === undefined) this.view.say('Connection lost. Reconnecting.');
    this.awaySince ??= Date.now();
    this.view.showClass('reconnecting');
    this.tick();
  }

  private back(): void {
    if (!this.connection) return;
    const startedAt = this.sessions.current?.room.startedAt;
    this.startedAt = startedAt ? Date.parse(startedAt) : (this.startedAt ?? this.connection.firstJoin());
    if (this.awaySince !== undefined) this.view.say('You are back in class.');
    this.awaySince = undefined;
    this.view.showClass('connected');
    this.view.showPeople(this.connection.people());
    this.tick();
  }

  private tick(): void {
    this.view.showElapsed(this.startedAt === undefined ? undefined : this.sessions.now() - this.startedAt);
    if (this.awaySince === undefined) return;
    const seconds = Math.round((Date.now() - this.awaySince) / 1000);
    this.view.showLine(`Connection lost. Reconnecting by itself… ${seconds > 0 ? `${seconds} s` : ''}`);
  }

  private nextPhase(): AbortSignal {
    this.renewal.stop();
    this.phase.abort();
    this.phase = new AbortController();
    return this.phase.signal;
  }
}
