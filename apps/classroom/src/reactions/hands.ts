import type { ClassStore } from '../class/class-store.js';
import { OwnDevices } from '../devices/own-devices.js';
import { grantedDevices, type Devices } from '../media/devices.js';
import type { AppState } from '../app/app-store.js';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Toasts } from '../app/toasts.js';
import type { Store } from '../store.js';

declare module '../app/app-store.js' {
  interface AppState {
    /** The uid of the person who allowed this student to speak, until the student accepts or dismisses the offer. */
    offeredBy?: string | undefined;
  }
}

/** Raised hands, and who was allowed to speak. */
export class Hands implements Part {
  constructor(private readonly classroom: ClassroomController) {
    const { app, classStore, toasts } = classroom;
    followSpeakPermission({ app, classStore, toasts, devices: classroom.get(OwnDevices) });
  }

  /** @throws ApiError */
  async raise(isUp: boolean): Promise<void> {
    const self = this.classroom.sessions.current?.participant;
    if (self) await this.classroom.classStore.raiseHand(isUp, self);
  }

  onEnd(): void {
    this.classroom.app.set({ offeredBy: undefined });
  }
}

interface Parts {
  app: Store<AppState>;
  classStore: ClassStore;
  devices: Devices;
  toasts: Toasts;
}

/**
 * Follows a student's permission to speak: offers the microphone when it is granted, and releases the microphone when it is
 * revoked. The browser asks for the microphone only when the student accepts.
 */
export function followSpeakPermission({ app, classStore, devices, toasts }: Parts): void {
  let allowedAt: string | undefined;
  const update = () => {
    const { session, screen } = app.get();
    if (!session || grantedDevices(session.permissions).includes('microphone') || screen !== 'class') return;
    const grant = classStore.getSnapshot().speakers.find(({ uid }) => uid === session.participant.uid);
    if (grant?.allowedAt === allowedAt) return;
    const wasAllowed = allowedAt !== undefined;
    allowedAt = grant?.allowedAt;
    app.set({ offeredBy: grant?.allowedBy });
    if (grant) toasts.announce({ key: 'announcement.allowed' });
    else if (wasAllowed) {
      void devices.revoke('microphone');
      toasts.showToast({ key: 'toast.speakingRevoked' });
    }
  };
  classStore.subscribe(update);
}
