import type { Role } from '@virtual-classroom/embed';
import type { ClassStore } from '../class/class-store.js';
import type { OpenQuestions } from '../tutor/open-questions.js';
import type { Devices } from '../media/devices.js';
import type { AppState } from './app-store.js';
import { announceClass } from '../notifications/announcements.js';
import { followEnding } from '../room/room.js';
import { followMutedSpeech } from '../devices/device-status.js';
import { followRoom } from '../room/room.js';
import type { HostEvents } from '../embed/host-events.js';
import { announceReports } from '../chat/reports.js';
import { followSpeakPermission } from '../hands/speaking.js';
import type { Toasts } from './toasts.js';
import { announceWaiting } from '../waiting/waiting.js';
import type { Store } from '../store.js';

interface Parts {
  app: Store<AppState>;
  classStore: ClassStore;
  openQuestions: OpenQuestions;
  devices: Devices;
  toasts: Toasts;
  hostEvents: HostEvents;
  /** The server's time, in milliseconds. */
  now(): number;
}

/** Tells the participant and the host page what happens in the class, and does what follows from it. */
export function followClass(parts: Parts): void {
  const { app, classStore, toasts, hostEvents } = parts;
  announceClass(parts);
  announceReports(classStore, toasts);
  announceWaiting(classStore, toasts);
  followRoom(app, classStore);
  followEnding(parts);
  followSpeakPermission(parts);
  followMutedSpeech(parts);
  classStore.onRemoval((removal) => hostEvents.reportRemoval({ ...removal, role: removal.role as Role }));
  classStore.onRecording((kind, recording) => {
    app.set({ wasRecorded: true });
    hostEvents.bridge.emit(`recording_${kind}`, recording);
    toasts.announce({ key: `announcement.recording.${recording.paused ? 'paused' : kind}` });
  });
}
