import type { ClassStore } from '../class/class-store.js';
import type { Devices } from '../media/devices.js';
import type { AppState } from './app-store.js';
import type { Lines } from './lines.js';
import type { Store } from '../store/store.js';

interface Parts {
  app: Store<AppState>;
  classStore: ClassStore;
  devices: Devices;
  lines: Lines;
}

/**
 * Follows a student's permission to speak: offers the microphone when it is granted, and releases the microphone when it is
 * revoked. The browser asks for the microphone only when the student accepts.
 */
export function followSpeaking({ app, classStore, devices, lines }: Parts): void {
  let allowedAt: string | undefined;
  const look = () => {
    const { session, screen } = app.get();
    if (!session || session.permissions.publish || screen !== 'class') return;
    const leave = classStore.getSnapshot().speakers.find(({ uid }) => uid === session.participant.uid);
    if (leave?.allowedAt === allowedAt) return;
    const hadLeave = allowedAt !== undefined;
    allowedAt = leave?.allowedAt;
    app.set({ offeredBy: leave?.allowedBy });
    if (leave) lines.say({ key: 'said.allowed' });
    else if (hadLeave) {
      void devices.withdraw('microphone');
      lines.show({ key: 'notice.takenBack' });
    }
  };
  classStore.subscribe(look);
}
