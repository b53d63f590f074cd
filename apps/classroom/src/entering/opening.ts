import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { DEVICES, type Device } from '../media/devices.js';
import { applyLook } from '../app/root.js';
import { ApiError } from '../session/session.js';

/** A class whose room opens later, how its page looks, and who is going to enter with which devices. Times are in milliseconds by the server's clock. */
export interface Opens {
  title: string;
  startsAt: number;
  opensAt: number;
  roomDescription: string | undefined;
  theme: string | undefined;
  logoUrl: string | undefined;
  /** The school's. */
  accent: string | undefined;
  name: string;
  devices: readonly Device[];
}

declare module '../app/app-store.js' {
  interface Screens {
    opening: true;
  }
  interface AppState {
    /** On the screen `opening`. */
    opening?: Opens | undefined;
  }
}

/** Milliseconds between two requests, because the schedule may be moved, and a random spread: a whole class may be waiting. */
const ASK_AGAIN_MS = 60_000;
const SPREAD_MS = 2_000;
const RETRY_MS = 5_000;

/** Waits until the room opens by its schedule, and then enters. */
export class Opening implements Part {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly classroom: ClassroomController) {}

  /** Shows when the room opens, if the service refused a session because of that. */
  takeError(error: ApiError): boolean {
    const opensAt = Date.parse(error.detail('opensAt') ?? '');
    if (error.code !== 'ROOM_NOT_OPEN' || Number.isNaN(opensAt)) return false;
    const opening = { ...toOpens(error), opensAt };
    // A page that has a session looks as its room does.
    if (!this.classroom.app.get().session) applyLook(opening);
    this.classroom.app.set({ state: 'idle', screen: 'opening', opening, connectingText: undefined, reason: undefined });
    this.askIn(Math.min(Math.max(opensAt - this.classroom.sessions.now(), 0), ASK_AGAIN_MS));
    return true;
  }

  onStep(): void {
    clearTimeout(this.timer);
  }

  private askIn(ms: number): void {
    this.onStep();
    this.timer = setTimeout(() => void this.ask(), ms + Math.random() * SPREAD_MS);
  }

  private async ask(): Promise<void> {
    const { timer } = this;
    const error = await this.classroom.sessions.open().then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (timer !== this.timer) return;
    if (error instanceof ApiError && error.isRetryable) this.askIn(RETRY_MS);
    else if (!(error instanceof ApiError && this.takeError(error))) await this.classroom.openSession();
  }
}

function toOpens(error: ApiError): Omit<Opens, 'opensAt'> {
  const devices = error.detail('devices')?.split(' ') ?? [];
  return {
    title: error.detail('title') ?? '',
    startsAt: Date.parse(error.detail('startsAt') ?? ''),
    roomDescription: error.detail('roomDescription'),
    theme: error.detail('theme'),
    logoUrl: error.detail('logoUrl'),
    accent: error.detail('accentColor') ?? error.detail('primaryColor'),
    name: error.detail('name') ?? '',
    devices: DEVICES.filter((device) => devices.includes(device)),
  };
}
