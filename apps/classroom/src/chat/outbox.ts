import type { ChatMessage } from '@classroom/contracts';
import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import type { ClassroomApi } from '../session/session.js';
import { Store } from '../store.js';

/** One of the participant's own messages that the class does not have yet. */
export interface OutgoingMessage {
  readonly id: string;
  readonly text: string;
  /** Why sending failed; undefined while it is in progress. */
  readonly failure: ApiErrorCode | undefined;
}

/** The participant's chat messages until the class has them. They are sent one after the other, so they arrive in the order of writing. */
export class Outbox extends Store<{ messages: readonly OutgoingMessage[] }> {
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
