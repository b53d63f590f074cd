import type { ClassroomEvents } from '@virtual-classroom/embed';
import { VideoQualityMonitor } from '@virtual-classroom/embed/video-quality';
import type { Room } from 'livekit-client';
import { ClassMeter, type Moment, type Report } from './class-meter.js';

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
