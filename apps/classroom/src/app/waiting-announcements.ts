import type { ClassStore } from '../class/class-store.js';
import type { Toasts } from './toasts.js';

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
