import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { Poller } from '../class/poller.js';
import { OwnDevices } from '../devices/own-devices.js';
import { DEVICES } from '../media/devices.js';
import { ApiError, type ClassroomSession } from '../session/session.js';

declare module '../app/app-store.js' {
  interface Screens {
    waiting: true;
  }
}

const INTERVAL_MS = 2_000;

/** The waiting room: the page asks until the participant is admitted or refused. A hidden page asks as well, because it still waits. */
export class Waiting implements Part {
  private readonly poller;

  constructor(private readonly classroom: ClassroomController) {
    this.poller = new Poller({
      ask: () => this.ask(),
      intervalMs: INTERVAL_MS,
      onAnswer: (isAdmitted) => {
        if (!isAdmitted) return;
        this.poller.stop();
        void this.enter();
      },
      onRejected: (error) => {
        this.poller.stop();
        classroom.fail(error, false);
      },
    });
    this.announceArrivals();
  }

  /** Shows the waiting room of a session that has no token for the class. */
  holdBack(session: ClassroomSession): boolean {
    if (!session.admission) return false;
    this.classroom.stopClass();
    this.classroom.app.set({
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

  onStep(): void {
    this.poller.stop();
  }

  /** Through the lobby, for those who may use camera and microphone, otherwise directly. */
  private async enter(): Promise<void> {
    const { classroom } = this;
    const devices = classroom.get(OwnDevices);
    classroom.sessions.invalidate();
    if (DEVICES.some((device) => devices.mayUse(device))) await classroom.openSession();
    else await classroom.join([]);
  }

  /** Announces who comes to the waiting room to screen readers. Only participants who may admit others get the list, and a notice with a button. */
  private announceArrivals(): void {
    const { classStore, toasts } = this.classroom;
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

  /** @throws ApiError also if the participant is refused */
  private async ask(): Promise<boolean> {
    const { state } = await this.classroom.api.getAdmission();
    if (state === 'REFUSED') throw new ApiError('ADMISSION_REFUSED');
    return state === 'ADMITTED';
  }
}
