import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Loop } from '@classroom/platform';
import { LiveKitRooms } from './livekit-rooms.js';

const REFRESH_MS = 30_000;

/** LiveKit's clock, by which connections are measured: ours, corrected where LiveKit's machine tells another time. */
@Injectable()
export class LiveKitClock implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private offsetSeconds = 0;
  private readonly loop = new Loop('livekit-clock', REFRESH_MS, async () => {
    // While LiveKit is away its clock is taken to run on as before.
    this.offsetSeconds = await this.livekit.clockOffset().catch(() => this.offsetSeconds);
  });

  constructor(
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return new Date(this.clock.wall().getTime() + this.offsetSeconds * 1000);
  }

  /** Whole seconds since 1970. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
