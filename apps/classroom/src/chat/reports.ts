import type { ClassStore } from '../class/class-store.js';
import type { Toasts } from '../app/toasts.js';

/** Announces new reports of chat messages. Only participants who manage others get reports. */
export function announceReports(classStore: ClassStore, toasts: Toasts): void {
  let previous = classStore.getSnapshot();
  classStore.subscribe(() => {
    const now = classStore.getSnapshot();
    const { messages, isLoaded } = previous;
    previous = now;
    if (!isLoaded || now.messages === messages) return;
    const known = new Map(messages.map(({ id, reports = 0 }) => [id, reports]));
    const latest = messages.at(-1)?.version ?? 0;
    // Older messages that were loaded meanwhile have their reports from before.
    const isReported = now.messages.some(({ id, version, reports = 0 }) => reports > (known.get(id) ?? (version > latest ? 0 : Infinity)));
    if (isReported) toasts.showToast({ key: 'toast.reported' });
  });
}
