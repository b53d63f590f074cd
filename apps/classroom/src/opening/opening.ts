import { ApiError, type SessionClient } from '../session/session.js';
import { DEVICES } from '../media/devices.js';
import type { AppState, Opens } from '../app/app-store.js';
import type { Store } from '../store.js';

/** Milliseconds between two requests, because the schedule may be moved, and a random spread: a whole class may be waiting. */
const ASK_AGAIN_MS = 60_000;
const SPREAD_MS = 2_000;
const RETRY_MS = 5_000;

interface Parts {
  app: Store<AppState>;
  sessions: Pick<SessionClient, 'now' | 'open'>;
  enter(): Promise<void>;
}

/** Waits until the room opens by its schedule, and then enters. */
export class Opening {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: Parts) {}

  /** Shows when the room opens, if the service refused a session because of that. Returns whether it does. */
  waitFor(error: ApiError): boolean {
    const opensAt = Date.parse(error.detail('opensAt') ?? '');
    if (error.code !== 'ROOM_NOT_OPEN' || Number.isNaN(opensAt)) return false;
    const opening = { ...toOpens(error), opensAt };
    this.parts.app.set({ state: 'idle', screen: 'opening', opening, connectingText: undefined, reason: undefined });
    this.askIn(Math.min(Math.max(opensAt - this.parts.sessions.now(), 0), ASK_AGAIN_MS));
    return true;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private askIn(ms: number): void {
    this.stop();
    this.timer = setTimeout(() => void this.ask(), ms + Math.random() * SPREAD_MS);
  }

  private async ask(): Promise<void> {
    const { timer } = this;
    const error = await this.parts.sessions.open().then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    if (timer !== this.timer) return;
    if (error instanceof ApiError && error.isRetryable) this.askIn(RETRY_MS);
    else if (!(error instanceof ApiError && this.waitFor(error))) await this.parts.enter();
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
