import type { ClassroomController, Part } from '../app/classroom-controller.js';
import { HostEvents } from '../embed/host-events.js';

declare module '../app/app-store.js' {
  interface AppState {
    /** Whether a recording ran while this page was in class. */
    wasRecorded?: boolean;
  }
}

/** Announces each start, pause and end of a recording. */
export class ClassRecording implements Part {
  constructor(classroom: ClassroomController) {
    const { bridge } = classroom.get(HostEvents);
    classroom.classStore.onRecording((kind, recording) => {
      classroom.app.set({ wasRecorded: true });
      bridge.emit(`recording_${kind}`, recording);
      classroom.toasts.announce({ key: `announcement.recording.${recording.paused ? 'paused' : kind}` });
    });
  }
}
