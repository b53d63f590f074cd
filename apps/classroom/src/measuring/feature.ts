import type { ClassroomEvents } from '@virtual-classroom/embed';
import type { Room } from 'livekit-client';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Feature } from '../app/feature.js';
import { HostEvents } from '../embed/host-events.js';
import type { Connection } from '../media/connection.js';
import { ROUTES } from '../session/routes.js';
import type { Measuring, Moment, Report } from './measuring.js';

/** Milliseconds in class after which the code that measures is loaded: entering does not wait for it. */
const LOAD_AFTER_MS = 5_000;

/** Notes what the participant does from the beginning, and measures the rest as soon as the code is there. */
class Measurements implements Part {
  private measuring: Measuring | undefined;
  private moments: Moment[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly classroom: ClassroomController) {}

  readonly send = (report: Report) => this.classroom.sessions.call(ROUTES.reportMinutes, report, true);
  readonly now = () => this.classroom.sessions.now();
  readonly onVideoQuality = (change: ClassroomEvents['quality_changed']) =>
    this.classroom.get(HostEvents).bridge.emit('quality_changed', change);

  onConnection({ room }: Connection, joinMs: number | undefined): void {
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
    this.onRoomChanged(room);
  }

  onRoomChanged({ localParticipant }: Room): void {
    if (!this.timer) return;
    const { isSpeaking, isMicrophoneEnabled, isCameraEnabled } = localParticipant;
    this.moments.push([performance.now(), isSpeaking && isMicrophoneEnabled, isCameraEnabled]);
  }

  onReconnecting(): void {
    this.measuring?.meter.countReconnection();
  }

  onEnd(): void {
    this.measuring?.stop();
  }

  /** The connection ends, or is lost. */
  onStep(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.measuring?.pause();
  }
}

/** What the page measures while it is connected. */
export const measuring: Feature = { Part: Measurements };
