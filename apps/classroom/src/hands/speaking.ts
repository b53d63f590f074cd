import type { ClassStore } from '../class/class-store.js';
import type { Devices } from '../media/devices.js';
import type { AppState } from '../app/app-store.js';
import { grantedDevices } from '../app/granted.js';
import type { Toasts } from '../app/toasts.js';
import type { Store } from '../store.js';

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
