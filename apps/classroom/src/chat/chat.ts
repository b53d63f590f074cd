import type { ClassUpdate } from '@classroom/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Toasts } from '../app/toasts.js';
import type { ClassStore } from '../class/class-store.js';
import type { ClassroomSession } from '../session/session.js';
import { Listeners } from '../store.js';
import { useClassField } from '../ui/panel-context.js';
import { Outbox } from './outbox.js';

export const hasChat = ({ ui = {} }: Pick<ClassroomSession, 'ui'>): boolean => !ui.hideChat;

/** What the participant writes, and what is reported of it. */
export class Chat implements Part {
  readonly outbox;

  constructor({ api, classStore, toasts }: Pick<ClassroomController, 'api' | 'classStore' | 'toasts'>) {
    this.outbox = new Outbox(api.sendChatMessage, (message) => classStore.addMessages([message]));
    announceReports(classStore, toasts);
  }

  onClassUpdate({ messages = [] }: ClassUpdate): void {
    for (const { id } of messages) this.outbox.discard(id);
  }
}

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
