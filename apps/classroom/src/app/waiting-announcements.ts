import type { ClassStore } from '../class/class-store.js';
import type { Toasts } from './toasts.js';

/** Announces who comes to the waiting room. Only participants who may admit others get the list. */
export function announceWaiting(classStore: ClassStore, toasts: Toasts): void {
  let known = new Set<string>();
  classStore.subscribe(() => {
    const { waiting } = classStore.getSnapshot();
    const arrived = waiting.filter(({ uid }) => !known.has(uid));
    known = new Set(waiting.map(({ uid }) => uid));
    const [first] = arrived;
    if (!first) return;
    toasts.show({ key: arrived.length > 1 ? 'toast.manyWaiting' : 'toast.waiting', values: { name: first.name, count: arrived.length } });
    toasts.announceNames(
      'waiting',
      arrived.map(({ name }) => name),
    );
  });
}
