import type { ClassroomEvents } from '@virtual-classroom/embed';
import { VideoQualityMonitor } from '@virtual-classroom/embed/video-quality';
import type { Room } from 'livekit-client';
import type { MeasuredMinute } from '@classroom/contracts';

export interface MeasuringParts {
  /** Must not need the page to stay open. */
  send(report: Report): Promise<unknown>;
  /** The server's time, in milliseconds. */
  now(): number;
  onVideoQuality(change: ClassroomEvents['quality_changed']): void;
}

/** What the page measures while it is connected: for the embedding page, and for the service. */
export class Measuring {
  readonly meter;
  private readonly videoQuality;

  constructor({ send, now, onVideoQuality }: MeasuringParts) {
    this.videoQuality = new VideoQualityMonitor(onVideoQuality);
    this.meter = new ClassMeter(send, now);
  }

  start(room: Room, moments: Moment[], joinMs: number | undefined): void {
    this.videoQuality.start(room);
    this.meter.start(room, moments, joinMs);
  }

  /** The connection ends, or is lost. */
  pause(): void {
    this.videoQuality.pause();
    this.meter.stop();
  }

  /** The participant left. */
  stop(): void {
    this.videoQuality.stop();
  }
}

/** The timer may be early. */
const NEARLY_A_MINUTE_MS = 55_000;
/** Statistics are read so often, so that a departure loses little of them. */
const READ_MS = 10_000;
/** What one report may contain: older minutes that could not be sent are dropped. */
const MOST_MINUTES = 30;

/** The counters that the service computes with, and a few others, which it ignores. */
const COUNTERS = /^(bytes|packets|jitterBuffer|freezeC|total[FR]|responses)/;

type Counted = { id: string; type: string } & Record<string, unknown>;
type Stats = Record<string, Record<string, number>>;
type Sums = Pick<MeasuredMinute, 'measuredMs' | 'talkMs' | 'cameraMs' | 'joinMs'> & { reconnections: number; stats: Stats };
const newSums = (): Sums => ({ measuredMs: 0, talkMs: 0, cameraMs: 0, reconnections: 0, stats: {} });

export interface Report {
  minutes: MeasuredMinute[];
}

/** From when on the participant spoke or not, with the camera on or off: a time of `performance.now`. */
export type Moment = readonly [at: number, isTalking: boolean, isOnCamera: boolean];

/** Measures how the participant takes part and what the connection carries, and reports each minute, the last one when they leave. */
export class ClassMeter {
  private room: Room | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private sums = newSums();
  private unsent: MeasuredMinute[] = [];
  private readonly counted = new Map<string, number>();
  /** By how much the server's clock is ahead of `performance.now`. */
  private clockOffset = 0;
  private moments: Moment[] = [];
  private followedAt = 0;
  private isTalking = false;
  private isOnCamera = false;

  /**
   * @param send must not need the page to stay open
   * @param now the server's time, in milliseconds
   */
  constructor(
    private readonly send: (report: Report) => Promise<unknown>,
    private readonly now: () => number,
  ) {}

  /** @param moments since the beginning of the connection, the first one included; later ones are added by the caller */
  start(room: Room, moments: Moment[], joinMs: number | undefined): void {
    this.room = room;
    this.moments = moments;
    this.sums.joinMs = joinMs;
    this.followedAt = moments[0]?.[0] ?? performance.now();
    this.clockOffset = this.now() - performance.now();
    this.timer = setInterval(() => void this.read(room), READ_MS);
    void this.read(room);
  }

  countReconnection(): void {
    this.sums.reconnections += 1;
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.room) this.report(this.room);
    this.room = undefined;
  }

  /** Adds up what the participant did until now. */
  private follow(): void {
    for (const [at, isTalking, isOnCamera] of this.moments.splice(0)) {
      this.advance(at);
      this.isTalking = isTalking;
      this.isOnCamera = isOnCamera;
    }
    this.advance(performance.now());
  }

  private advance(at: number): void {
    const elapsed = at - this.followedAt;
    this.followedAt = at;
    this.sums.measuredMs += elapsed;
    if (this.isTalking) this.sums.talkMs += elapsed;
    if (this.isOnCamera) this.sums.cameraMs += elapsed;
  }

  private async read(room: Room): Promise<void> {
    // Whatever its type says, there is no engine after a disconnection.
    const pcManager = room.engine?.pcManager;
    const reports = await Promise.all([pcManager?.publisher.getStats(), pcManager?.subscriber?.getStats()]).catch(() => []);
    if (room !== this.room) return;
    for (const report of reports) report?.forEach((entry: Counted) => this.count(entry));
    this.follow();
    if (this.sums.measuredMs > NEARLY_A_MINUTE_MS) this.report(room);
  }

  private count({ id, type, ...entry }: Counted): void {
    const sums = (this.sums.stats[type] ??= {});
    for (const [name, value] of Object.entries(entry)) {
      if (typeof value !== 'number' || !COUNTERS.test(name)) continue;
      sums[name] = (sums[name] ?? 0) + Math.max(0, value - (this.counted.get(id + name) ?? 0));
      this.counted.set(id + name, value);
    }
  }

  private report({ localParticipant }: Room): void {
    this.follow();
    const { sums } = this;
    const startedAt = new Date(this.clockOffset + this.followedAt - sums.measuredMs).toISOString();
    this.sums = newSums();
    const sent = (this.unsent = [...this.unsent, { connectionSid: localParticipant.sid, startedAt, ...sums }].slice(-MOST_MINUTES));
    void this.send({ minutes: sent }).then(
      () => (this.unsent = this.unsent.filter((one) => !sent.includes(one))),
      () => undefined,
    );
  }
}
