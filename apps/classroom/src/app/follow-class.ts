import type { Role } from '@virtual-classroom/embed';
import type { ClassStore } from '../class/class-store.js';
import type { OpenQuestions } from '../class/open-questions.js';
import type { Devices } from '../media/devices.js';
import type { AppState } from './app-store.js';
import { announceClass } from './class-announcements.js';
import { followEnding } from './follow-ending.js';
import { followMutedSpeech } from './follow-muted-speech.js';
import { followRoom } from './follow-room.js';
import type { HostEvents } from './host-events.js';
import { announceReports } from './report-announcements.js';
import { followSpeakPermission } from './speak-permission.js';
import type { Toasts } from './toasts.js';
import { announceWaiting } from './waiting-announcements.js';
import type { Store } from '../store/store.js';

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
