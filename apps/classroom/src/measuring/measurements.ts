import type { ClassroomEvents } from '@virtual-classroom/embed';
import type { Room } from 'livekit-client';
import type { Moment, Report } from './measuring.js';
import type { Measuring } from './measuring.js';
import { ROUTES } from '../session/routes.js';
import type { SessionClient } from '../session/session.js';
import type { HostEvents } from '../embed/host-events.js';

/** Milliseconds in class after which the code that measures is loaded: entering does not wait for it. */
const LOAD_AFTER_MS = 5_000;

/** Notes what the participant does from the beginning, and measures the rest as soon as the code is there. */
export class Measurements {
  measuring: Measuring | undefined;
  private moments: Moment[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly sessions: SessionClient,
    private readonly hostEvents: HostEvents,
  ) {}

  readonly send = (report: Report) => this.sessions.call(ROUTES.reportMinutes, report, true);
  readonly now = () => this.sessions.now();
  readonly onVideoQuality = (change: ClassroomEvents['quality_changed']) => this.hostEvents.bridge.emit('quality_changed', change);

  /** @param joinMs how long the join took, in milliseconds; undefined after a reconnection */
  start(room: Room, joinMs: number | undefined): void {
    this.moments = [];
    const timer = setTimeout(
      () => {
        void import('./measuring.js').then(
          ({ Measuring }) => {
            if (timer === this.timer) (this.measuring ??= new Measuring(this)).start(room, this.moments, joinMs);
          },
          () => (this.timer = undefined),
        );
      },
      this.measuring ? 0 : LOAD_AFTER_MS,
    );
    this.timer = timer;
    this.follow(room);
  }

  /** Call after each change in the room. */
  follow({ localParticipant }: Room): void {
    if (!this.timer) return;
    const { isSpeaking, isMicrophoneEnabled, isCameraEnabled } = localParticipant;
    this.moments.push([performance.now(), isSpeaking && isMicrophoneEnabled, isCameraEnabled]);
  }

  /** The connection ends, or is lost. */
  pause(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.measuring?.pause();
  }
}
