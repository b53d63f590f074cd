import { useEffect, useSyncExternalStore } from 'react';
import type { ClassStore } from '../class/class-store.js';
import { Listeners } from '../store.js';
import { useClassField } from '../ui/panel-context.js';

/** The version up to which the participant has read the chat. All counters on the page share one mark. */
class ReadMark {
  readonly listeners = new Listeners();
  version: number | undefined;

  advance(version: number): void {
    if (version === this.version) return;
    this.version = version;
    this.listeners.notify();
  }
}

const marks = new WeakMap<ClassStore, ReadMark>();

function markOf(store: ClassStore): ReadMark {
  const mark = marks.get(store) ?? new ReadMark();
  marks.set(store, mark);
  return mark;
}

/** The number of chat messages that arrived while the chat was closed. Messages from before the participant joined do not count. */
export function useUnread(store: ClassStore, isOpen: boolean): number {
  const mark = markOf(store);
  const isLoaded = useClassField(store, 'isLoaded');
  const messages = useClassField(store, 'messages');
  const seen = useSyncExternalStore(mark.listeners.add, () => mark.version);
  const latest = messages.at(-1)?.version ?? 0;
  useEffect(() => {
    if (isLoaded && (isOpen || mark.version === undefined)) mark.advance(latest);
  }, [mark, isLoaded, isOpen, latest]);
  if (isOpen || seen === undefined) return 0;
  return messages.filter(({ version }) => version > seen).length;
}
