import { VideoQualityMonitor } from '@virtual-classroom/embed/video-quality';
import type { Room } from 'livekit-client';
import { ClassMeter } from '../media/class-meter.js';
import { ROUTES } from '../session/routes.js';
import type { SessionClient } from '../session/session.js';
import type { HostEvents } from './host-events.js';

/** What the page measures while it is connected: for the embedding page, and for the service. */
export class Measurements {
  readonly meter;
  private readonly videoQuality;

  constructor(sessions: SessionClient, hostEvents: HostEvents) {
    this.videoQuality = new VideoQualityMonitor((change) => hostEvents.bridge.emit('quality_changed', change));
    this.meter = new ClassMeter(
      (report) => sessions.call(ROUTES.reportMinutes, report, true),
      () => sessions.now(),
    );
  }

  /** @param joinMs how long the join took, in milliseconds; undefined after a reconnection */
  start(room: Room, joinMs: number | undefined): void {
    this.videoQuality.start(room);
    this.meter.start(room, joinMs);
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
