import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, InBackground, Loop } from '@classroom/platform';
import { LiveKitRooms } from './livekit-rooms.js';

const REFRESH_MS = 5_000;

/** LiveKit's clock, by which connections are measured: ours, corrected where LiveKit's machine tells another time. */
@Injectable()
export class LiveKitClock implements OnModuleInit {
  @InBackground('any') private readonly loop = new Loop('livekit-clock', REFRESH_MS, () => this.refresh());
  private offsetSeconds = 0;

  constructor(
    private readonly livekit: LiveKitRooms,
    private readonly clock: Clock,
  ) {}

  /** Measured before anything is timed by it. Where LiveKit is unreachable the loop measures it as soon as it answers. */
  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  now(): Date {
    return new Date(this.clock.wall().getTime() + this.offsetSeconds * 1000);
  }

  /** Whole seconds since 1970. */
  seconds(): number {
    return Math.floor(this.now().getTime() / 1000);
  }

  /** The instant of our clock at which LiveKit's showed `theirs`. */
  toOurs(theirs: Date): Date {
    return new Date(theirs.getTime() - this.offsetSeconds * 1000);
  }

  /** While LiveKit is away its clock is taken to run on as before. */
  private async refresh(): Promise<void> {
    this.offsetSeconds = await this.livekit.clockOffset().catch(() => this.offsetSeconds);
  }
}
