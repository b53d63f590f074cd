import { randomUUID } from 'node:crypto';
import type { Behaviour } from './behaviour.js';
import { type EgressEventName, type EgressEvent, type EgressMessage, type EgressStatus, isOver, nanoseconds } from './egress-message.js';
import { makeFilm } from './film.js';

export interface CaptureOrder {
  egressId: string;
  sid: string;
  objectKey: string;
  layout: string;
  /** The whole request, for tests to check. */
  request: unknown;
}

/** Where a capture sends its events and its file. */
export interface CaptureOutlet {
  report(event: EgressEvent): Promise<void>;
  store(objectKey: string, film: Buffer): Promise<void>;
  /** Called when a capture has ended or vanished, so that its slot is free. */
  freed(): void;
}

/** One recording as an engine makes it, from its acceptance to its file, with the events in the real order of LiveKit. */
export class Capture {
  status: EgressStatus = 'EGRESS_STARTING';
  error = '';
  /** Killed with -9: the engine no longer knows it and sends no more events about it. */
  isGone = false;
  readonly film: Buffer;
  readonly acceptedAt = Date.now();
  /** How often the engine was asked to stop it. */
  stops = 0;
  private activeAt: number | undefined;
  private endedAt: number | undefined;
  private updatedAt = Date.now();
  private hasFile = false;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    readonly order: CaptureOrder,
    private readonly behaviour: Behaviour,
    private readonly outlet: CaptureOutlet,
  ) {
    this.film = makeFilm({ seconds: behaviour.filmSeconds });
  }

  get isRunning(): boolean {
    return !this.isGone && !isOver(this.status) && this.status !== 'EGRESS_ENDING';
  }

  /** Whether its events are sent; false: they are lost. */
  get isReporting(): boolean {
    return !this.behaviour.isMute;
  }

  begin(): void {
    // LiveKit's first event has no status: the capture is accepted, nothing more.
    this.report('egress_started');
    const { activeAfterMs } = this.behaviour;
    if (activeAfterMs !== null) this.after(activeAfterMs, () => this.becomeActive());
  }

  becomeActive(): void {
    if (this.status !== 'EGRESS_STARTING' || this.isGone) return;
    this.activeAt = Date.now();
    this.become('EGRESS_ACTIVE', 'egress_updated');
  }

  /** Idempotent, like that of the engines. */
  stop(): void {
    this.stops += 1;
    if (this.isGone) return;
    if (this.status === 'EGRESS_STARTING') return this.over('EGRESS_ABORTED', 'Stop called before pipeline could start');
    if (this.status === 'EGRESS_ACTIVE') this.end('EGRESS_COMPLETE');
  }

  /** The room was closed; an engine notices this by itself. */
  roomClosed(): void {
    if (this.isRunning) this.end('EGRESS_COMPLETE');
  }

  reachLimit(): void {
    if (this.isRunning) this.end('EGRESS_LIMIT_REACHED', 'Session limit reached');
  }

  /** Fails the capture, for example with an error of the template. */
  fail(reason: string): void {
    if (!isOver(this.status) && !this.isGone) this.over('EGRESS_FAILED', reason);
  }

  /** kill -9 of the process that makes the recording. */
  vanish(): void {
    this.isGone = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.outlet.freed();
  }

  /** The next process finds what was captured and completes the recording. */
  async recover(): Promise<void> {
    this.isGone = false;
    this.error = 'the recording was cut';
    this.endedAt ??= Date.now();
    await this.finish('EGRESS_COMPLETE');
  }

  /** The event for the current step, for a test that sends it again or in another order. */
  toEvent(event: EgressEventName, change: Partial<EgressMessage> = {}): EgressEvent {
    return {
      event,
      id: `EV_${randomUUID()}`,
      createdAt: String(Math.floor(Date.now() / 1000)),
      egressInfo: { ...this.toMessage(), ...change },
    };
  }

  toMessage(): EgressMessage {
    const { egressId, sid, objectKey, layout } = this.order;
    const times = { startedAt: nanoseconds(this.activeAt ?? this.acceptedAt), endedAt: nanoseconds(this.endedAt) };
    const { seconds, size } = { seconds: this.behaviour.filmSeconds, size: this.film.length };
    const file = { filename: objectKey, ...times, duration: nanoseconds(seconds * 1000), size: String(size), location: objectKey };
    return {
      egressId,
      roomName: sid,
      status: this.status,
      ...times,
      updatedAt: nanoseconds(this.updatedAt),
      error: this.error,
      roomComposite: { roomName: sid, layout, fileOutputs: [{ filepath: objectKey }] },
      fileResults: this.hasFile ? [file] : [],
    };
  }

  private end(outcome: 'EGRESS_COMPLETE' | 'EGRESS_LIMIT_REACHED', error = ''): void {
    this.endedAt = Date.now();
    this.error = error;
    this.become('EGRESS_ENDING', 'egress_updated');
    this.after(this.behaviour.endsAfterMs, () => void this.finish(outcome));
  }

  private async finish(outcome: 'EGRESS_COMPLETE' | 'EGRESS_LIMIT_REACHED'): Promise<void> {
    const { failsUpload, uploadsAfterMs } = this.behaviour;
    const upload = () => this.outlet.store(this.order.objectKey, this.film);
    const isLate = uploadsAfterMs > 0;
    const isUploaded =
      !failsUpload &&
      (isLate ||
        (await upload().then(
          () => true,
          () => false,
        )));
    if (this.isGone) return;
    if (!isUploaded) return this.over('EGRESS_FAILED', 'Could not upload the file');
    this.hasFile = true;
    this.over(outcome, this.error);
    if (isLate) this.after(uploadsAfterMs, () => void upload());
  }

  private over(status: EgressStatus, error: string): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.error = error;
    this.endedAt ??= Date.now();
    this.become(status, 'egress_ended');
    this.outlet.freed();
  }

  private become(status: EgressStatus, event: EgressEventName): void {
    this.status = status;
    this.updatedAt = Date.now();
    this.report(event);
  }

  private report(event: EgressEventName): void {
    if (this.isReporting) void this.outlet.report(this.toEvent(event));
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.isGone) work();
    }, ms);
    this.timers.add(timer);
  }
}
