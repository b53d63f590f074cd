import { type ClassroomApi, ApiError, type ClassroomSession } from '../session/session.js';
import { Poller } from '../class/poller.js';
import type { AppState } from '../app/app-store.js';
import type { Store } from '../store.js';
import type { ClassStore } from '../class/class-store.js';
import type { Toasts } from '../app/toasts.js';

const INTERVAL_MS = 2_000;

interface Parts {
  app: Store<AppState>;
  api: Pick<ClassroomApi, 'getAdmission'>;
  stopClass(): void;
  onAdmitted(): void;
  onRejected(error: ApiError): void;
}

/** The waiting room: the page asks until the participant is admitted or refused. A hidden page asks as well, because it still waits. */
export class Waiting {
  private readonly poller;

  constructor(private readonly parts: Parts) {
    this.poller = new Poller({
      ask: () => this.ask(),
      intervalMs: INTERVAL_MS,
      onAnswer: (isAdmitted) => {
        if (isAdmitted) this.end(() => parts.onAdmitted());
      },
      onRejected: (error) => this.end(() => parts.onRejected(error)),
    });
  }

  /** Shows the waiting room of a session that has no token for the class. Returns whether it does. */
  begin(session: ClassroomSession): boolean {
    if (!session.admission) return false;
    this.parts.stopClass();
    this.parts.app.set({
      session,
      state: 'idle',
      screen: 'waiting',
      connectingText: undefined,
      reason: undefined,
      reconnectingSince: undefined,
    });
    this.poller.start();
    return true;
  }

  stop(): void {
    this.poller.stop();
  }

  /** @throws ApiError also if the participant is refused */
  private async ask(): Promise<boolean> {
    const { state } = await this.parts.api.getAdmission();
    if (state === 'REFUSED') throw new ApiError('ADMISSION_REFUSED');
    return state === 'ADMITTED';
  }

  private end(next: () => void): void {
    this.poller.stop();
    next();
  }
}

/** Announces who comes to the waiting room to screen readers. Only participants who may admit others get the list, and a notice with a button. */
export function announceWaiting(classStore: ClassStore, toasts: Toasts): void {
  let known = new Set<string>();
  classStore.subscribe(() => {
    const { waiting } = classStore.getSnapshot();
    const arrived = waiting.filter(({ uid }) => !known.has(uid));
    known = new Set(waiting.map(({ uid }) => uid));
    toasts.announceNames(
      'waiting',
      arrived.map(({ name }) => name),
    );
  });
}
