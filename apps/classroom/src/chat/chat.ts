import type { ChatMessage, ClassUpdate } from '@classroom/contracts';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { useEffect, useSyncExternalStore } from 'react';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Toasts } from '../app/toasts.js';
import type { ClassStore } from '../class/class-store.js';
import type { ClassroomApi, ClassroomSession } from '../session/session.js';
import { Listeners, Store } from '../store.js';
import { useClassField } from '../ui/panel-context.js';

/** One of the participant's own messages that the class does not have yet. */
export interface OutgoingMessage {
  readonly id: string;
  readonly text: string;
  /** Why sending failed; undefined while it is in progress. */
  readonly failure: ApiErrorCode | undefined;
}

/** The participant's chat messages until the class has them. They are sent one after the other, so they arrive in the order of writing. */
class Outbox extends Store<{ messages: readonly OutgoingMessage[] }> {
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly send: ClassroomApi['sendChatMessage'],
    private readonly onSent: (message: ChatMessage) => void,
  ) {
    super({ messages: [] });
  }

  add(text: string): void {
    const id = randomId();
    this.setMessages([...this.messages, { id, text, failure: undefined }]);
    this.enqueue(id);
  }

  /** Retries with the same id: if the first attempt succeeded after all, the message does not appear twice. */
  retry(id: string): void {
    if (!this.find(id)?.failure) return;
    this.setFailure(id, undefined);
    this.enqueue(id);
  }

  discard(id: string): void {
    if (this.find(id)) this.setMessages(this.messages.filter((message) => message.id !== id));
  }

  private enqueue(id: string): void {
    this.sending = this.sending.then(() => this.deliver(id));
  }

  private async deliver(id: string): Promise<void> {
    const message = this.find(id);
    if (!message) return;
    try {
      const sent = await this.send({ text: message.text, id });
      this.discard(id);
      this.onSent(sent);
    } catch (error) {
      this.setFailure(id, error instanceof ApiError ? error.code : 'NO_ANSWER');
    }
  }

  private find(id: string): OutgoingMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  private setFailure(id: string, failure: OutgoingMessage['failure']): void {
    this.setMessages(this.messages.map((message) => (message.id === id ? { ...message, failure } : message)));
  }

  private get messages(): readonly OutgoingMessage[] {
    return this.get().messages;
  }

  private setMessages(messages: readonly OutgoingMessage[]): void {
    this.set({ messages });
  }
}

/** A random UUID. crypto.randomUUID does not exist on pages without TLS, which some schools serve. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

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
