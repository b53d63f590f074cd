import { Injectable } from '@nestjs/common';
import { Background, Clock, Loop } from '@classroom/platform';
import { LiveKitRooms } from './livekit-rooms.js';

const REFRESH_MS = 30_000;

/** LiveKit's clock, by which connections are measured: ours, corrected where LiveKit's machine tells another time. */
@Injectable()
export class LiveKitClock {
  private offsetSeconds = 0;

  constructor(
    background: Background,
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {
    background.add(new Loop('livekit-clock', REFRESH_MS, () => this.refresh()), 'any');
  }

  now(): Date {
    return new Date(this.clock.wall().getTime() + this.offsetSeconds * 1000);
  }

  /** Whole seconds since 1970. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  /** While LiveKit is away its clock is taken to run on as before. */
  private async refresh(): Promise<void> {
    this.offsetSeconds = await this.livekit.clockOffset().catch(() => this.offsetSeconds);
  }
}
