import type { ChatMessage } from '@classroom/contracts';
import { Refusal } from '../session/refusal.js';
import type { ClassroomApi } from './api.js';
import type { OutgoingMessage } from './snapshot.js';

/** The participant's chat messages until the class has them. They are sent one after the other, so they arrive in the order of writing. */
export class Outbox {
  private messages: readonly OutgoingMessage[] = [];
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly send: ClassroomApi['sendChatMessage'],
    private readonly on: { changed(messages: readonly OutgoingMessage[]): void; sent(message: ChatMessage): void },
  ) {}

  add(text: string): void {
    const id = newId();
    this.set([...this.messages, { id, text, failure: undefined }]);
    this.queue(id);
  }

  /** Retries with the same id: if the first attempt succeeded after all, the message does not appear twice. */
  retry(id: string): void {
    if (!this.find(id)?.failure) return;
    this.change(id, undefined);
    this.queue(id);
  }

  discard(id: string): void {
    if (this.find(id)) this.set(this.messages.filter((message) => message.id !== id));
  }

  private queue(id: string): void {
    this.turn = this.turn.then(() => this.deliver(id));
  }

  private async deliver(id: string): Promise<void> {
    const message = this.find(id);
    if (!message) return;
    try {
      const sent = await this.send({ text: message.text, id });
      this.discard(id);
      this.on.sent(sent);
    } catch (error) {
      this.change(id, error instanceof Refusal ? error.code : 'NO_ANSWER');
    }
  }

  private find(id: string): OutgoingMessage | undefined {
    return this.messages.find((message) => message.id === id);
  }

  private change(id: string, failure: OutgoingMessage['failure']): void {
    this.set(this.messages.map((message) => (message.id === id ? { ...message, failure } : message)));
  }

  private set(messages: readonly OutgoingMessage[]): void {
    this.messages = messages;
    this.on.changed(messages);
  }
}

/** A random UUID. crypto.randomUUID does not exist on pages without TLS, which some schools serve. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
