import type { CommandMessage, CommandResult } from './protocol.js';

interface Pending {
  message: CommandMessage;
  timer: ReturnType<typeof setTimeout>;
  resolve(): void;
  reject(error: Error): void;
}

/** Commands without an answer yet. Until the classroom sends its first message, commands wait; the timeout covers that wait. */
export class PendingCommands {
  private readonly pending = new Map<string, Pending>();
  // Two host scripts of one page must use different ids: the page carries out each id only once.
  private readonly prefix = Math.random().toString(36).slice(2);
  private count = 0;
  private isOpen = false;
  private isClosed = false;

  constructor(
    private readonly post: (message: CommandMessage) => void,
    private readonly timeoutMs: number,
  ) {}

  add(toMessage: (id: string) => CommandMessage): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('the classroom was closed'));
    this.count += 1;
    const id = `${this.prefix}-${this.count}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.take(id)?.reject(new Error(`the classroom did not answer within ${this.timeoutMs / 1000} s`));
      }, this.timeoutMs);
      const message = toMessage(id);
      this.pending.set(id, { message, timer, resolve, reject });
      if (this.isOpen) this.post(message);
    });
  }

  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    for (const { message } of this.pending.values()) this.post(message);
  }

  settle({ id, ok, error }: CommandResult): void {
    const pending = this.take(id);
    if (ok) pending?.resolve();
    else pending?.reject(new Error(error ?? 'the classroom refused'));
  }

  close(): void {
    this.isClosed = true;
    for (const id of this.pending.keys()) this.take(id)?.reject(new Error('the classroom was closed'));
  }

  private take(id: string): Pending | undefined {
    const pending = this.pending.get(id);
    clearTimeout(pending?.timer);
    this.pending.delete(id);
    return pending;
  }
}
