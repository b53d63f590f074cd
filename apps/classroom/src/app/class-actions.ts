import type { ClassroomApi } from '../class/api.js';
import type { ClassStore } from '../class/class-store.js';
import type { SessionClient } from '../session/session.js';
import type { Toasts } from './toasts.js';

interface Parts {
  sessions: Pick<SessionClient, 'current'>;
  api: Pick<ClassroomApi, 'startRecordingInClass' | 'stopRecordingInClass'>;
  classStore: Pick<ClassStore, 'raiseHand' | 'refresh'>;
  toasts: Toasts;
}

/** What a participant does in class with a button. A failure is shown as a toast. */
export class ClassActions {
  constructor(private readonly parts: Parts) {}

  async raiseHand(isUp: boolean): Promise<void> {
    const { sessions, classStore } = this.parts;
    const self = sessions.current?.participant;
    if (self) await this.run(() => classStore.raiseHand(isUp, self), 'toast.handFailed');
  }

  async setRecording(isOn: boolean): Promise<void> {
    const { api, classStore } = this.parts;
    if (isOn) await this.run(() => api.startRecordingInClass(), 'toast.recordFailed');
    else await this.run(() => api.stopRecordingInClass(), 'toast.stopRecordFailed');
    void classStore.refresh();
  }

  async run(action: () => Promise<unknown>, failureKey: string): Promise<void> {
    try {
      await action();
    } catch {
      this.parts.toasts.showToast({ key: failureKey });
    }
  }
}
