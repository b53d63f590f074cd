import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { LiveKitRooms } from './livekit-rooms.js';

const REFRESH_INTERVAL_MS = 5_000;

/** LiveKit's clock, by which connections are measured: our clock, corrected by the offset of LiveKit's machine. */
@Injectable()
export class LiveKitClock implements OnModuleInit {
  @InBackground('any') private readonly loop = new Loop('livekit-clock', REFRESH_INTERVAL_MS, () => this.refresh());
  private offsetSeconds = 0;

  constructor(
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** Measures the offset before it is used. If LiveKit is unreachable, the loop measures it as soon as LiveKit answers. */
  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  now(): Date {
    return new Date(this.clock.classTime().getTime() + this.offsetSeconds * 1000);
  }

  /** The time of LiveKit's clock in whole seconds since 1970. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  /** The time of our clock at which LiveKit's showed `livekitTime`. */
  toLocalTime(livekitTime: Date): Date {
    return new Date(livekitTime.getTime() - this.offsetSeconds * 1000);
  }

  /** The time of LiveKit's clock at which ours shows `localTime`. */
  toLiveKitTime(localTime: Date): Date {
    return new Date(localTime.getTime() + this.offsetSeconds * 1000);
  }

  /** While LiveKit is unreachable, the last known offset is kept. */
  private async refresh(): Promise<void> {
    this.offsetSeconds = await this.livekit.clockOffset().catch(() => this.offsetSeconds);
  }
}
