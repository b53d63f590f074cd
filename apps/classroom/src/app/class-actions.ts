import type { ClassStore } from '../class/class-store.js';
import type { SessionClient } from '../session/session.js';
import type { Toasts } from './toasts.js';

interface Parts {
  sessions: Pick<SessionClient, 'current'>;
  classStore: Pick<ClassStore, 'raiseHand'>;
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

  async run(action: () => Promise<unknown>, failureKey: string): Promise<void> {
    try {
      await action();
    } catch {
      this.parts.toasts.showToast({ key: failureKey });
    }
  }
}
