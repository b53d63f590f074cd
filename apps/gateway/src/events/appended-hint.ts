import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { eventsAppendedSubject } from '@classroom/contracts';

/** Waits for hints that an organization's history has new events. */
export class AppendedHint {
  private isPending = false;
  private wake: () => void = () => undefined;
  private readonly subscription: Subscription;

  constructor(connection: NatsConnection, organizationId: string) {
    const callback = () => {
      this.isPending = true;
      this.wake();
    };
    this.subscription = connection.subscribe(eventsAppendedSubject(organizationId), { callback });
  }

  /** Resolves at a hint since the last call, after `ms` milliseconds or when the signal fires. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isPending && !signal.aborted) await this.arrival(ms, signal);
    this.isPending = false;
  }

  end(): void {
    this.subscription.unsubscribe();
  }

  private async arrival(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.wake, { once: true });
    });
    clearTimeout(timer);
    signal.removeEventListener('abort', this.wake);
  }
}
