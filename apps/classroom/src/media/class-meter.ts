import type { MeasuredMinute } from '@classroom/contracts';
import type { Room } from 'livekit-client';

const MINUTE_MS = 60_000;
/** Statistics are read so often, so that a departure loses little of them. */
const READ_MS = 10_000;
/** What one report may contain: older minutes that could not be sent are dropped. */
const MOST_MINUTES = 30;

const COUNTERS = [
  'bytesReceived',
  'packetsReceived',
  'packetsLost',
  'jitterBufferDelay',
  'jitterBufferEmittedCount',
  'freezeCount',
  'totalFreezesDuration',
  'bytesSent',
  'packetsSent',
  'totalRoundTripTime',
  'responsesReceived',
];

type Counted = { id: string; type: string } & Record<string, unknown>;
type Stats = Record<string, Record<string, number>>;
type Sums = Pick<MeasuredMinute, 'talkMs' | 'cameraMs' | 'joinMs'> & { reconnections: number; stats: Stats };
const newSums = (): Sums => ({ talkMs: 0, cameraMs: 0, reconnections: 0, stats: {} });

/** Measures how the participant takes part and what the connection carries, and reports each minute, the last one when they leave. */
export class ClassMeter {
  private room: Room | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private sums = newSums();
  private unsent: MeasuredMinute[] = [];
  private readonly counted = new Map<string, number>();
  /** When the minutes of this connection began: by the server's clock, and by `performance.now`, as all other times here. */
  private startedAt = 0;
  private began = 0;
  private reportedAt = 0;
  private followedAt = 0;
  private isTalking = false;
  private isOnCamera = false;

  /**
   * @param send must not need the page to stay open
   * @param now the server's time, in milliseconds
   */
  constructor(
    private readonly send: (report: { minutes: MeasuredMinute[] }) => Promise<unknown>,
    private readonly now: () => number,
  ) {}

  start(room: Room, joinMs: number | undefined): void {
    this.room = room;
    this.sums.joinMs = joinMs;
    this.startedAt = this.now();
    this.began = this.reportedAt = this.followedAt = performance.now();
    this.timer = setInterval(() => void this.read(room), READ_MS);
    this.follow();
  }

  countReconnection(): void {
    this.sums.reconnections += 1;
  }

  /** Something changed in the room: until now, the participant did what they did at the last change. */
  follow(): void {
    if (!this.room) return;
    const at = performance.now();
    if (this.isTalking) this.sums.talkMs += at - this.followedAt;
    if (this.isOnCamera) this.sums.cameraMs += at - this.followedAt;
    this.followedAt = at;
    const { isSpeaking, isMicrophoneEnabled, isCameraEnabled } = this.room.localParticipant;
    this.isTalking = isSpeaking && isMicrophoneEnabled;
    this.isOnCamera = isCameraEnabled;
  }

  stop(): void {
    clearInterval(this.timer);
    if (this.room) this.report(this.room);
    this.room = undefined;
  }

  private async read(room: Room): Promise<void> {
    // Whatever its type says, there is no engine after a disconnection.
    const pcManager = room.engine?.pcManager;
    const reports = await Promise.all([pcManager?.publisher.getStats(), pcManager?.subscriber?.getStats()]).catch(() => []);
    if (room !== this.room) return;
    for (const report of reports) report?.forEach((entry: Counted) => this.count(entry));
    if (performance.now() - this.reportedAt >= MINUTE_MS - READ_MS / 2) this.report(room);
  }

  private count({ id, type, ...entry }: Counted): void {
    const sums = (this.sums.stats[type] ??= {});
    for (const name of COUNTERS) {
      const value = entry[name];
      if (typeof value !== 'number') continue;
      const key = id + name;
      sums[name] = (sums[name] ?? 0) + Math.max(0, value - (this.counted.get(key) ?? 0));
      this.counted.set(key, value);
    }
  }

  private report(room: Room): void {
    this.follow();
    const at = performance.now();
    const minutes = Math.round((this.reportedAt - this.began) / MINUTE_MS);
    const minute = {
      connectionSid: room.localParticipant.sid,
      startedAt: new Date(this.startedAt + minutes * MINUTE_MS).toISOString(),
      measuredMs: at - this.reportedAt,
      ...this.sums,
    };
    this.reportedAt = at;
    this.sums = newSums();
    const sent = (this.unsent = [...this.unsent, minute].slice(-MOST_MINUTES));
    void this.send({ minutes: sent }).then(
      () => (this.unsent = this.unsent.filter((one) => !sent.includes(one))),
      () => undefined,
    );
  }
}
